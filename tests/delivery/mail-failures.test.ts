import { afterEach, describe, expect, test } from 'vitest';
import type { SMTPServerOptions } from 'smtp-server';

import { openMailer } from '#libs/delivery';
import { logRules } from '#libs/errors';

import { closeAll, closings, mail, openInbox, openTalker } from './open-inbox.js';

afterEach(closeAll);

describe('what goes wrong is said plainly', () => {
  const password = 'long-secret-password';
  const refusing = (options: SMTPServerOptions) => openInbox(options).then(({ access }) => access);
  const answer = (message: string, responseCode: number) =>
    Object.assign(new Error(message), { responseCode });

  test.each([
    {
      name: 'an unknown recipient',
      open: () => refusing({ onRcptTo: (_to, _session, done) => done(answer('nobody here', 550)) }),
      code: 'MAIL_REFUSED',
      reason: /does not take the recipient \(550 nobody here\)/,
    },
    {
      name: 'a sender that may not send',
      open: () => refusing({ onMailFrom: (_to, _session, done) => done(answer('not you', 553)) }),
      code: 'MAIL_REFUSED',
      reason: /does not take the sender \(553 not you\)/,
    },
    {
      name: 'a text that is not wanted',
      open: () =>
        refusing({
          onData(stream, _session, done) {
            stream.resume();
            stream.on('end', () => done(answer('spam', 554)));
          },
        }),
      code: 'MAIL_REFUSED',
      reason: /does not take the text \(554 spam\)/,
    },
    {
      name: 'a wrong password, which the server repeats in every way it can',
      open: async () => ({
        ...(await refusing({
          authOptional: false,
          allowInsecureAuth: true,
          onAuth: (auth, _session, done) => {
            const line = Buffer.from(`\0${auth.username}\0${auth.password}`).toString('base64');
            const inBase64 = Buffer.from(String(auth.password)).toString('base64');
            done(answer(`no ${auth.password} ${inBase64} ${line}`, 535));
          },
        })),
        user: 'u',
        password,
      }),
      code: 'MAIL_REFUSED',
      reason: /user and password are not accepted \(535 no … … …\)/,
    },
    {
      name: 'a certificate of nobody',
      open: async () => ({ ...(await refusing({ secure: true })), secure: true }),
      code: 'MAIL_UNREACHABLE',
      reason: /its certificate is not valid/,
    },
    {
      name: 'a certificate of nobody, after STARTTLS',
      open: () => refusing({ disabledCommands: [] }),
      code: 'MAIL_UNREACHABLE',
      reason: /its certificate is not valid/,
    },
    {
      name: 'TLS where there is none',
      open: async () => ({ ...(await refusing({})), secure: true }),
      code: 'MAIL_UNREACHABLE',
      reason: /does not speak TLS on this port/,
    },
    {
      name: 'nobody at the port',
      open: async () => ({ ...(await refusing({})), port: 1 }),
      code: 'MAIL_UNREACHABLE',
      reason: /refuses connections on this port/,
    },
    {
      name: 'a name without a host',
      open: async () => ({ ...(await refusing({})), host: 'mail.invalid' }),
      code: 'MAIL_UNREACHABLE',
      reason: /no host with this name/,
    },
    {
      name: 'a server that is no mail server',
      open: async () => ({
        host: '127.0.0.1',
        port: await openTalker('SSH-2.0-x\r\n'),
        secure: false,
        from: 'a@example.org',
      }),
      code: 'MAIL_UNREACHABLE',
      reason: /does not answer like a mail server/,
    },
    {
      name: 'a server that hangs up',
      open: async () => ({
        host: '127.0.0.1',
        port: await openTalker(undefined),
        secure: false,
        from: 'a@example.org',
      }),
      code: 'MAIL_UNREACHABLE',
      reason: /the connection to it/,
    },
  ])('$name', async ({ open, code, reason }) => {
    const mailer = openMailer(await open());
    closings.push(async () => mailer.close());
    const error: unknown = await mailer.send(mail).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(reason) });
    expect(error).toMatchObject({ message: expect.not.stringContaining(password) });
  });

  test.each([
    { name: 'of the subject', sent: { subject: '482913 is your code' } },
    { name: 'in brackets', sent: { text: 'Your code (482913) ends soon.' } },
    { name: 'before an ellipsis', sent: { html: '<p>482913…</p>' } },
    { name: 'behind a colon', sent: { text: 'code:482913!' } },
  ])('a code $name is hidden where the server repeats it', async ({ sent }) => {
    const access = await refusing({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => done(answer('spam: 482913', 554)));
      },
    });
    const mailer = openMailer(access);
    closings.push(async () => mailer.close());
    const error: unknown = await mailer
      .send({ ...mail, ...sent })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'MAIL_REFUSED' });
    expect(JSON.stringify(logRules.serializers.err(error))).not.toContain('482913');
  });

  test('a check finds it too, and sends nothing', async () => {
    const { mails, access } = await openInbox();
    const mailer = openMailer(access);
    await mailer.verify();
    mailer.close();
    expect(mails).toEqual([]);
    const nowhere = openMailer({ ...access, port: 1 });
    await expect(nowhere.verify()).rejects.toMatchObject({ code: 'MAIL_UNREACHABLE', status: 503 });
    nowhere.close();
  });
});
