// Trying out mails and SMS from the settings: what went wrong is told in words that help.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from '../support/sms-gateway.js';
import { rowsOf, usersPath } from './administration.js';

const settings = '/api/admin/settings';
let deployment: Deployment;
let project: ProjectUnderTest;
let mailServer: MailServer;
let gateway: SmsGateway;
/** No server listens on this port. A free port could be taken by another test. */
const deadPort = 1;

beforeAll(async () => {
  mailServer = await openMailServer({
    refuse: (recipient) => (recipient.startsWith('unknown') ? 'no such mailbox here' : undefined),
  });
  gateway = await openSmsGateway((to) => (to.endsWith('999') ? 'no such subscriber' : undefined));
  const hosts = [
    `127.0.0.1:${mailServer.port}`,
    `127.0.0.1:${deadPort}`,
    gateway.origin.replace('http://', ''),
  ];
  deployment = await Deployment.open({ env: { OUTBOUND_ALLOWED_HOSTS: hosts.join(',') } });
  project = await deployment.createProject();
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([mailServer.close(), gateway.close()]);
});
beforeEach(async () => {
  for (const group of ['email.smtp', 'email.templates', 'phone.sms', 'auth.hooks']) {
    await project.asService({ method: 'DELETE', path: `${settings}/${group}` });
  }
});

async function save(group: string, body: object): Promise<void> {
  const reply = await project.asService({ method: 'PUT', path: `${settings}/${group}`, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}
const testMail = (to: unknown, base = settings) =>
  project.asService({ method: 'POST', path: `${base}/email/test`, body: { to } });
const testSms = (to: unknown, base = settings) =>
  project.asService({ method: 'POST', path: `${base}/sms/test`, body: { to } });

describe('POST /admin/settings/email/test', () => {
  test.each([settings, '/admin/settings'])('%s: the mail server takes the mail', async (base) => {
    await save('email.smtp', mailServer.settings);
    const to = `to-${base.length}@example.org`;
    const reply = await testMail(to, base);
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 200,
      body: { delivered: true, transport: 'smtp' },
    });
    const mail = await mailServer.waitForMail(to);
    expect(mail.subject).toContain('A test mail');
    expect(mail.text).toContain(to);
  });

  test('without a mail server the inbox keeps it', async () => {
    expect((await testMail('kept@example.org')).body).toEqual({
      delivered: true,
      transport: 'inbox',
    });
    const kept = await rowsOf(project, `select kind from platform.inbox where recipient = $1`, [
      'kept@example.org',
    ]);
    expect(kept).toEqual([{ kind: 'test' }]);
  });

  test('the reason of a mail server that refuses is told', async () => {
    await save('email.smtp', mailServer.settings);
    const reply = await testMail('unknown@example.org');
    expect(reply.status).toBe(502);
    expect(reply.body).toMatchObject({ code: 'MAIL_REFUSED' });
    expect(asRecord(reply.body)['message']).toContain('no such mailbox here');
  });

  test('a server that is not there is told apart', async () => {
    await save('email.smtp', { ...mailServer.settings, port: deadPort });
    const reply = await testMail('a@example.org');
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({
      status: 503,
      code: 'MAIL_UNREACHABLE',
    });
  });

  test.each([undefined, null, '', 'ada', 'a@example.org\r\nBcc: b@example.org', ['a@example.org']])(
    '%j is no address',
    async (to) => {
      expect((await testMail(to)).body).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    },
  );
});

describe('POST /admin/settings/sms/test', () => {
  const vonage = () => ({
    provider: 'vonage',
    vonage: { ...SMS_ACCOUNTS.vonage, from: 'Rowhouse', baseUrl: gateway.origin },
  });

  test.each([settings, '/admin/settings'])('%s: the provider takes the message', async (base) => {
    await save('phone.sms', vonage());
    const to = `+1555123${String(base.length).padStart(4, '0')}`;
    const reply = await testSms(to, base);
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 200,
      body: { delivered: true },
    });
    expect((await gateway.waitForSms(to)).text).toContain('123456');
  });

  test.each([
    { name: 'without a provider', to: '+15551230000', status: 503, code: 'SMS_NOT_CONFIGURED' },
    { name: 'with a number that is none', to: '0555', status: 400, code: 'INVALID_INPUT' },
  ])('$name it is refused', async ({ to, status, code }) => {
    const reply = await testSms(to);
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({ status, code });
  });

  test('the reason of a provider that refuses is told', async () => {
    await save('phone.sms', vonage());
    const reply = await testSms('+15551230999');
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({
      status: 502,
      code: 'SMS_REFUSED',
    });
    expect(asRecord(reply.body)['message']).toContain('no such subscriber');
    expect(reply.text).not.toContain(SMS_ACCOUNTS.vonage.apiSecret);
  });
});

describe('GET /admin/settings/email/templates', () => {
  test('every kind tells its variables, its defaults and what is stored', async () => {
    await save('email.templates', { test: { subject: 'Hello {{ email }}' } });
    const reply = await project.asService({ path: '/admin/settings/email/templates' });
    const { kinds } = asRecord(reply.body);
    expect(kinds).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'magicLink',
          needs: [['url']],
          variables: expect.arrayContaining([
            expect.objectContaining({ name: 'url', required: true, form: 'link' }),
          ]),
          defaults: {
            subject: expect.any(String),
            text: expect.any(String),
            html: expect.any(String),
          },
          template: { subject: null, text: null, html: null },
        }),
        expect.objectContaining({
          kind: 'test',
          template: { subject: 'Hello {{ email }}', text: null, html: null },
        }),
      ]),
    );
  });
});

describe('POST /admin/settings/email/preview', () => {
  const preview = (body: object) =>
    project.asService({ method: 'POST', path: `${settings}/email/preview`, body });

  test('a template is shown with examples; what it leaves out is the default', async () => {
    const template = { subject: '{{ appName }}: {{ code }}' };
    const reply = await preview({ kind: 'emailOtp', template });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      subject: `Test ${project.ref}: 123456`,
      text: expect.stringContaining('123456'),
      html: expect.stringContaining('<html'),
    });
    const stored = await rowsOf(
      project,
      `select from platform.app_settings where name = 'email.templates'`,
    );
    expect(stored).toEqual([]);
  });

  test('without a template it is the stored one', async () => {
    await save('email.templates', { test: { subject: 'Stored' } });
    expect((await preview({ kind: 'test' })).body).toMatchObject({ subject: 'Stored' });
  });

  test.each([
    { name: 'a kind that is none', body: { kind: 'nothing' }, field: 'kind' },
    {
      name: 'a variable that is none',
      body: { kind: 'test', template: { text: '{{ coed }}' } },
      field: 'template.text',
    },
    {
      name: 'a template without its code',
      body: { kind: 'emailOtp', template: { text: 'Hi' } },
      field: 'template.text',
    },
    { name: 'a template that is a text', body: { kind: 'test', template: 'x' }, field: 'template' },
    {
      name: 'a part that is none',
      body: { kind: 'test', template: { footer: 'x' } },
      field: 'template.footer',
    },
  ])('$name is refused', async ({ body, field }) => {
    const reply = await preview(body);
    expect(reply.status).toBe(400);
    expect(asRecord(reply.body)['message']).toContain(field);
  });
});

describe('a project without a way to send mail', () => {
  test('says so, and nobody is invited', async () => {
    const mute = await Deployment.open({ env: { MAIL_INBOX: 'false' } });
    try {
      const other = await mute.createProject();
      const test = {
        method: 'POST',
        path: `${settings}/email/test`,
        body: { to: 'a@example.org' },
      };
      expect((await other.asService(test)).body).toMatchObject({
        status: 503,
        code: 'EMAIL_NOT_CONFIGURED',
      });
      const invite = {
        method: 'POST',
        path: `${usersPath}/invite`,
        body: { email: 'a@example.org' },
      };
      expect((await other.asService(invite)).body).toMatchObject({ code: 'EMAIL_NOT_CONFIGURED' });
      expect(await rowsOf(other, 'select from auth."user"')).toEqual([]);
    } finally {
      await mute.close();
    }
  });
});
