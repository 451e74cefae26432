import { afterEach, expect, test } from 'vitest';
import { createTransport } from 'nodemailer';

import {
  codeIn,
  linkIn,
  type MailServer,
  type MailServerOptions,
  openMailServer,
} from './mail-server.js';

let server: MailServer;
afterEach(() => server.close());

interface Letter {
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly headers?: Record<string, string>;
}

async function open(options: MailServerOptions = {}) {
  server = await openMailServer(options);
  return server;
}

async function post(letter: Letter, access: object = {}): Promise<void> {
  const { host, port, settings } = server;
  const transport = createTransport({ host, port, secure: settings['secure'] === true, ...access });
  await transport.sendMail({ from: String(settings['from']), to: 'a@example.org', ...letter });
  transport.close();
}

test('a mail is read back as it was written', async () => {
  await open();
  await post({
    to: 'A@example.org',
    subject: 'Grüße',
    text: 'plain',
    html: '<p>rich</p>',
    headers: { 'X-Kind': 'magic-link' },
  });
  const mail = await server.waitForMail('a@example.org');
  expect(mail).toMatchObject({
    to: ['a@example.org'],
    from: 'Rowhouse test <no-reply@rowhouse.test>',
    subject: 'Grüße',
    text: 'plain\n',
    html: '<p>rich</p>\n',
    headers: { 'x-kind': 'magic-link' },
  });
});

test('mails are taken once each, oldest first, by address and subject, also before they come', async () => {
  await open();
  const awaited = server.waitForMail('b@example.org');
  await post({ subject: 'one' });
  await post({ subject: 'two' });
  await post({ subject: 'three' });
  await post({ to: 'b@example.org', subject: 'other' });
  expect((await awaited).subject).toBe('other');
  expect((await server.waitForMail('a@example.org', { subject: /^t/ })).subject).toBe('two');
  expect((await server.waitForMail('a@example.org')).subject).toBe('one');
  expect((await server.waitForMail('a@example.org')).subject).toBe('three');
  expect(server.mailsTo('a@example.org')).toHaveLength(3);
  expect(server.mails).toHaveLength(4);
});

test('a recipient can be refused with a reason', async () => {
  await open({ refuse: (to) => (to === 'full@example.org' ? '552 mailbox is full' : undefined) });
  await expect(post({ to: 'full@example.org' })).rejects.toThrow('mailbox is full');
  expect(server.mails).toEqual([]);
});

test('user and password are demanded', async () => {
  const auth = { user: 'u', password: 'p' };
  await open({ auth });
  await expect(post({})).rejects.toThrow(/auth/i);
  await expect(post({}, { auth: { user: 'u', pass: 'x' } })).rejects.toThrow('Invalid login');
  await post({ subject: 'in' }, { auth: { user: 'u', pass: 'p' } });
  expect(server.mails.map(({ subject }) => subject)).toEqual(['in']);
  expect(server.settings).toMatchObject(auth);
  expect(server.env).toMatchObject({ SMTP_USER: 'u', SMTP_PASSWORD: 'p' });
});

test.each([
  { name: 'from the first byte', tls: 'start' as const, access: {} },
  { name: 'by an upgrade', tls: 'upgrade' as const, access: { requireTLS: true } },
])('TLS $name, for clients that trust the certificate', async ({ tls, access }) => {
  await open({ tls });
  await expect(post({}, access)).rejects.toThrow(/certificate/);
  await post({ subject: 'in' }, { ...access, tls: { ca: server.certificate } });
  expect((await server.waitForMail('a@example.org')).subject).toBe('in');
});

test('the link and the code of a mail are found', async () => {
  await open();
  await post({
    text: 'Code: 048213, or https://a.test/verify?token=98765432&x=1\nSee https://b.test/.',
  });
  await post({
    html: '<p>Your code is <b>1234</b></p><a href="https://a.test/?a=1&amp;b=2">x</a>',
  });
  const [plain, rich] = [
    await server.waitForMail('a@example.org'),
    await server.waitForMail('a@example.org'),
  ];
  expect(codeIn(plain)).toBe('048213');
  expect(linkIn(plain)).toBe('https://a.test/verify?token=98765432&x=1');
  expect(linkIn(plain, '//b.')).toBe('https://b.test/');
  expect(codeIn(rich)).toBe('1234');
  expect(linkIn(rich)).toBe('https://a.test/?a=1&b=2');
  expect(() => linkIn(plain, 'nowhere')).toThrow('no link');
  expect(() => codeIn({ text: '1111 or 2222' })).toThrow('2 codes');
});
