import { afterEach, describe, expect, test } from 'vitest';

import { openMailer } from '#libs/delivery';
import { fail } from '#libs/errors';

import { closeAll, closings, mail, openInbox } from './open-inbox.js';

afterEach(closeAll);

test('a mail arrives as it was written', async () => {
  const { mails, access } = await openInbox();
  const mailer = openMailer(access);
  await mailer.send({ to: 'b@example.org', subject: 'Grüße', text: 'plain', html: '<p>rich</p>' });
  mailer.close();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    from: { name: 'Deployment', address: 'a@example.org' },
    to: [{ address: 'b@example.org' }],
    subject: 'Grüße',
    text: 'plain\n',
    html: '<p>rich</p>\n',
  });
});

test('user and password are shown to a server that asks for them', async () => {
  const shown: unknown[] = [];
  const { access } = await openInbox({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      shown.push([username, password]);
      done(null, { user: username });
    },
  });
  const mailer = openMailer({ ...access, user: 'u', password: 'p' });
  await mailer.send({ to: 'b@example.org', subject: 's', text: 't' });
  mailer.close();
  expect(shown).toEqual([['u', 'p']]);
});

test('connections are used again, and there are only a few', async () => {
  let opened = 0;
  let open = 0;
  let most = 0;
  const { mails, access } = await openInbox({
    onConnect(_session, done) {
      opened += 1;
      open += 1;
      most = Math.max(most, open);
      done();
    },
    onClose: () => (open -= 1),
  });
  const mailer = openMailer(access);
  closings.push(async () => mailer.close());
  await Promise.all(Array.from({ length: 30 }, () => mailer.send(mail)));
  expect(mails).toHaveLength(30);
  expect(most).toBe(3);
  expect(opened).toBe(3);
});

test('a closed mailer sends nothing more, and closing it twice does no harm', async () => {
  const { mails, access } = await openInbox();
  const mailer = openMailer(access);
  await mailer.send(mail);
  mailer.close();
  mailer.close();
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'MAIL_UNREACHABLE' });
  expect(mails).toHaveLength(1);
});

describe('nothing in a mail becomes a header or a recipient', () => {
  test.each([
    { name: 'a subject of two lines', subject: 'a\r\nBcc: evil@example.org' },
    { name: 'a subject with other line ends', subject: 'a\u2028Bcc: evil@example.org\u0000' },
    { name: 'a text with a dot alone', text: 'a\r\n.\r\nMAIL FROM:<evil@example.org>' },
    { name: 'HTML that names a file', html: '<img src="file:///etc/passwd">' },
  ])('$name', async (part) => {
    const { mails, access } = await openInbox();
    const mailer = openMailer(access);
    await mailer.send({ ...mail, ...part });
    mailer.close();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual([{ name: '', address: 'b@example.org' }]);
    expect(mails[0]?.bcc).toBeUndefined();
    expect(mails[0]?.attachments).toEqual([]);
    expect(mails[0]?.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  test.each([
    'b@example.org, evil@example.org',
    'b@example.org;evil@example.org',
    'B <b@example.org>',
    'b@example.org\r\nBcc: evil@example.org',
    'b@example.org\nRCPT TO:<evil@example.org>',
    'Friends: b@example.org, evil@example.org;',
    '"b c"@example.org',
    'b@evil@example.org',
    'b',
    '',
    `b@${'x'.repeat(320)}`,
  ])('%j is no recipient', async (to) => {
    const { mails, access } = await openInbox();
    const mailer = openMailer(access);
    await expect(mailer.send({ ...mail, to })).rejects.toMatchObject({
      code: 'MAIL_REFUSED',
      status: 502,
      message: expect.stringContaining('the recipient is not one address'),
    });
    mailer.close();
    expect(mails).toEqual([]);
  });

  test.each([
    'Deployment',
    'Deployment <a@example.org>, evil@example.org',
    'a@example.org\r\nBcc: evil@example.org',
    '',
  ])('%j is no sender', async (from) => {
    const { mails, access } = await openInbox();
    const mailer = openMailer({ ...access, from });
    await expect(mailer.send(mail)).rejects.toThrow('the sender is not an address');
    mailer.close();
    expect(mails).toEqual([]);
  });

  test('a comma in the name of the sender makes no second sender', async () => {
    const { mails, access } = await openInbox();
    const mailer = openMailer({ ...access, from: 'Deployment, Inc. <a@example.org>' });
    await mailer.send(mail);
    mailer.close();
    expect(mails[0]?.from).toEqual({ name: 'Deployment, Inc.', address: 'a@example.org' });
  });
});

describe('a host that somebody has configured', () => {
  test('is reached where it is allowed to lead, and looked up nowhere else', async () => {
    const { mails, access } = await openInbox();
    const asked: unknown[] = [];
    const mailer = openMailer(
      { ...access, host: 'mail.invalid' },
      {
        resolve: (host, port) => {
          asked.push([host, port]);
          return Promise.resolve('127.0.0.1');
        },
      },
    );
    closings.push(async () => mailer.close());
    await mailer.verify();
    await mailer.send(mail);
    expect(mails).toHaveLength(1);
    expect(asked[0]).toEqual(['mail.invalid', access.port]);
  });

  test('has to show a certificate of its own name', async () => {
    const { access } = await openInbox({ secure: true });
    const configured = { ...access, host: 'mail.invalid', secure: true };
    const mailer = openMailer(configured, { resolve: () => Promise.resolve('127.0.0.1') });
    closings.push(async () => mailer.close());
    await expect(mailer.send(mail)).rejects.toThrow('its certificate is not valid for this host');
  });

  test('may be one that is not called at all', async () => {
    const { mails, access } = await openInbox();
    const refuse = () => Promise.reject(fail('CONFLICT', { reason: 'not a public address' }));
    const mailer = openMailer(access, { resolve: refuse });
    closings.push(async () => mailer.close());
    for (const work of [() => mailer.send(mail), () => mailer.verify()]) {
      await expect(work()).rejects.toMatchObject({
        code: 'MAIL_UNREACHABLE',
        message: 'The mail server cannot be used: not a public address',
      });
    }
    const nowhere = openMailer(
      { ...access, port: 1 },
      { resolve: () => Promise.resolve('127.0.0.1') },
    );
    closings.push(async () => nowhere.close());
    await expect(nowhere.send(mail)).rejects.toThrow('it refuses connections on this port');
    expect(mails).toEqual([]);
  });
});
