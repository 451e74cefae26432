import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from '@jest/globals';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { openMailer } from './mailer.js';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A mail server of the test with an inbox to look into. */
async function openInbox(options: SMTPServerOptions = {}) {
  const mails: Email[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          done();
        }, done);
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => new Promise((resolve) => server.close(() => resolve())));
  // The server listens on TCP, so its address is one of a host and a port.
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    access: { host: '127.0.0.1', port, secure: false, from: 'House <a@example.org>' },
  };
}

test('a mail arrives as it was written', async () => {
  const { mails, access } = await openInbox();
  const mailer = openMailer(access);
  await mailer.send({ to: 'b@example.org', subject: 'Grüße', text: 'plain', html: '<p>rich</p>' });
  mailer.close();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    from: { name: 'House', address: 'a@example.org' },
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

test('a mail that the server refuses or that meets no server is an error', async () => {
  const { access } = await openInbox({
    onRcptTo: (_address, _session, done) => done(new Error('nobody here')),
  });
  const mail = { to: 'b@example.org', subject: 's', text: 't' };
  const refused = openMailer(access);
  await expect(refused.send(mail)).rejects.toThrow('nobody here');
  refused.close();
  const nowhere = openMailer({ ...access, port: 1 });
  await expect(nowhere.send(mail)).rejects.toThrow('ECONNREFUSED');
  nowhere.close();
});
