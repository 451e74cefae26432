// Mails and SMS wait in the database of their project until they are sent: over a real mail server.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { closeAll, openInbox } from '../delivery/open-inbox.js';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from '../support/sms-gateway.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
let mailServer: MailServer;
/** Refuses every mail once for now. */
let busy: Awaited<ReturnType<typeof openInbox>>;
const deferred = new Set<string>();
/** Answers these numbers with a status instead of taking the next SMS. */
let sms: SmsGateway;
const smsAnswers = new Map<string, number>();
/** No server listens on this port. A free port could be taken by another test. */
const deadPort = 1;

beforeAll(async () => {
  mailServer = await openMailServer({
    refuse: (recipient) => (refuses && recipient.startsWith('refused') ? 'no mailbox' : undefined),
  });
  busy = await openInbox({
    onRcptTo({ address }, _session, done) {
      if (deferred.has(address)) return done();
      deferred.add(address);
      done(Object.assign(new Error('too busy'), { responseCode: 451 }));
    },
  });
  sms = await openSmsGateway((to) => {
    const status = smsAnswers.get(to);
    smsAnswers.delete(to);
    return status;
  });
  const ports = [mailServer.port, busy.access.port, deadPort, new URL(sms.origin).port];
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  deployment = await Deployment.open({ env: { OUTBOUND_ALLOWED_HOSTS: hosts.join(',') } });
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  for (const each of [project, neighbor]) {
    await save(each, 'auth.urls', { siteUrl: 'https://app.example.com' });
  }
});
afterAll(async () => {
  await deployment.close();
  await mailServer.close();
  await sms.close();
  await closeAll();
});
let refuses = true;

async function save(of: ProjectUnderTest, group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await of.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

async function askForLink(of: ProjectUnderTest, email: string): Promise<void> {
  const path = '/api/auth/sign-in/magic-link';
  const reply = await of.send({ method: 'POST', path, body: { email } });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

async function listed(of: ProjectUnderTest, query = ''): Promise<Record<string, unknown>[]> {
  const reply = await of.asService({ path: `/api/admin/messages${query}` });
  expect(reply.status).toBe(200);
  const { messages } = asRecord(reply.body);
  if (!Array.isArray(messages)) throw new Error(reply.text);
  return messages.map(asRecord);
}

/** Waits for the message to an address to have a status. */
async function fateOf(
  of: ProjectUnderTest,
  recipient: string,
  status: string,
): Promise<Record<string, unknown>> {
  return waitFor(
    async () => {
      const [message] = await listed(of, `?recipient=${encodeURIComponent(recipient)}`);
      return message?.['status'] === status ? message : undefined;
    },
    { until: `the message to ${recipient} is ${status}`, ms: 30_000, everyMs: 50 },
  );
}

const inviteUser = (email: string) =>
  project.asService({ method: 'POST', path: '/api/admin/users/invite', body: { email } });

const retry = (of: ProjectUnderTest, id: unknown) =>
  of.asService({ method: 'POST', path: `/api/admin/messages/${String(id)}/retry` });

const notes = () =>
  asSuperuser('select ref, id::text from waiting_message', {
    database: deployment.ground.databaseName,
  });

describe('sending', () => {
  test('a mail arrives soon, and its row says so without its values', async () => {
    await save(project, 'email.smtp', mailServer.settings);
    const started = Date.now();
    await askForLink(project, 'ada@example.org');
    const mail = await mailServer.waitForMail('ada@example.org');
    expect(mail.text).toContain('/magic-link/verify?token=');
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(await fateOf(project, 'ada@example.org', 'sent')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      channel: 'email',
      kind: 'magicLink',
      recipient: 'ada@example.org',
      status: 'sent',
      attempts: 1,
      lastError: null,
      nextTryAt: null,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      sentAt: expect.any(String),
    });
    const rows = await asSuperuser('select sealed_values from platform.messages', {
      database: project.database,
    });
    expect(rows).toEqual([{ sealed_values: null }]);
  });

  test('a server that refuses ten mails for now gets all ten a little later', async () => {
    await save(project, 'email.smtp', busy.access);
    const addresses = Array.from({ length: 10 }, (_, index) => `later${index}@example.org`);
    for (const address of addresses) await askForLink(project, address);
    for (const address of addresses) {
      const message = await fateOf(project, address, 'sent');
      expect(message).toMatchObject({ attempts: 2, lastError: null });
    }
    const arrived = busy.mails.map(({ to }) => to?.[0]?.address);
    expect(arrived.toSorted()).toEqual(addresses.toSorted());
  });

  test('an invitation that the server refuses for now arrives a little later', async () => {
    await save(project, 'email.smtp', busy.access);
    const reply = await inviteUser('invited@example.org');
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status: 200,
      body: { user: { email: 'invited@example.org' } },
    });
    const message = await fateOf(project, 'invited@example.org', 'sent');
    expect(message).toMatchObject({ kind: 'inviteUser', attempts: 2, lastError: null });
    const mail = busy.mails.find(({ to }) => to?.[0]?.address === 'invited@example.org');
    expect(mail?.text).toContain('/admin-link');
  });

  test.each([429, 503])(
    'an SMS that is answered %i once arrives a little later',
    async (status) => {
      const phoneNumber = `+15551230${status}`;
      const twilio = { ...SMS_ACCOUNTS.twilio, from: '+15550001111', baseUrl: sms.origin };
      await save(project, 'phone.sms', { provider: 'twilio', twilio });
      await save(project, 'auth.phoneOtp', { enabled: true });
      smsAnswers.set(phoneNumber, status);
      const path = '/api/auth/phone-number/send-otp';
      const reply = await project.send({ method: 'POST', path, body: { phoneNumber } });
      expect(reply.status).toBe(200);
      const message = await fateOf(project, phoneNumber, 'sent');
      expect(message).toMatchObject({ channel: 'sms', attempts: 2, lastError: null });
      expect(sms.messagesTo(phoneNumber)).toHaveLength(1);
    },
  );

  test('a refusal for good is noted at once, and tried again on demand alone', async () => {
    await save(project, 'email.smtp', mailServer.settings);
    await askForLink(project, 'refused@example.org');
    const failed = await fateOf(project, 'refused@example.org', 'failed');
    expect(failed).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining('no mailbox'),
      nextTryAt: null,
    });
    expect(mailServer.mailsTo('refused@example.org')).toEqual([]);
    refuses = false;
    const revived = await retry(project, failed['id']);
    await mailServer.waitForMail('refused@example.org');
    refuses = true;
    expect({ status: revived.status, body: revived.body }).toEqual({
      status: 200,
      body: { id: failed['id'], status: 'queued' },
    });
  });

  test('a server that cannot be reached leaves the mail waiting', async () => {
    await save(project, 'email.smtp', { ...mailServer.settings, port: deadPort });
    await askForLink(project, 'waits@example.org');
    const message = await waitFor(async () => {
      const queued = await fateOf(project, 'waits@example.org', 'queued');
      return queued['attempts'] === 1 ? queued : undefined;
    });
    expect(message).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining('refuses connections'),
      nextTryAt: expect.any(String),
    });
    await save(project, 'email.smtp', mailServer.settings);
    expect((await retry(project, message['id'])).status).toBe(200);
    await mailServer.waitForMail('waits@example.org');
  });
});

describe('what waits', () => {
  test('shows no code and no link, to nobody', async () => {
    await save(project, 'email.smtp', { ...mailServer.settings, port: deadPort });
    await askForLink(project, 'secret@example.org');
    await fateOf(project, 'secret@example.org', 'queued');
    const [row] = await asSuperuser(
      `select m.*, m::text as whole from platform.messages m where recipient = 'secret@example.org'`,
      { database: project.database },
    );
    expect(String(row?.['sealed_values'])).toMatch(/^v1\./);
    expect(String(row?.['whole'])).not.toMatch(/token|https?:|\bcode\b/);
    await expect(project.sql('select * from platform.messages')).rejects.toThrow('42501');
    for (const role of ['anon', 'authenticated', 'service_role']) {
      const reading = asSuperuser(`set role ${role}; select * from platform.messages`, {
        database: project.database,
      });
      await expect(reading).rejects.toThrow('permission denied');
    }
  });

  test('is of no other project', async () => {
    await askForLink(neighbor, 'theirs@example.org');
    const theirs = await fateOf(neighbor, 'theirs@example.org', 'sent');
    expect(await listed(project, '?recipient=theirs@example.org')).toEqual([]);
    const reply = await retry(project, theirs['id']);
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status: 404,
      body: { code: 'MESSAGE_NOT_FOUND' },
    });
  });

  test('is refused above a thousand, before anything is done', async () => {
    await asSuperuser(
      `insert into platform.messages (id, channel, kind, recipient, sealed_values, status, next_try_at)
       select gen_random_uuid(), 'email', 'filler', 'f@example.org', 'v1.x.y', 'queued', now() + interval '1 day'
       from generate_series(1, 1000)`,
      { database: project.database },
    );
    for (const email of ['ada@example.org', 'nobody@example.org']) {
      const path = '/api/auth/request-password-reset';
      const reply = await project.send({ method: 'POST', path, body: { email } });
      expect({ status: reply.status, body: reply.body }).toMatchObject({
        status: 503,
        body: { code: 'PROJECT_BUSY' },
      });
    }
    expect((await inviteUser('crowd@example.org')).body).toMatchObject({ code: 'PROJECT_BUSY' });
    const users = `select from auth."user" where email = 'crowd@example.org'`;
    expect(await asSuperuser(users, { database: project.database })).toEqual([]);
    await asSuperuser(`delete from platform.messages where kind = 'filler'`, {
      database: project.database,
    });
  });
});

describe('another try', () => {
  test('is refused for what was sent and for what has expired', async () => {
    await save(project, 'email.smtp', mailServer.settings);
    await askForLink(project, 'sent@example.org');
    const sent = await fateOf(project, 'sent@example.org', 'sent');
    expect((await retry(project, sent['id'])).body).toMatchObject({
      status: 409,
      code: 'MESSAGE_SENT',
    });
    await askForLink(project, 'refused2@example.org');
    const failed = await fateOf(project, 'refused2@example.org', 'failed');
    await asSuperuser(
      `update platform.messages set expires_at = now() where recipient = 'refused2@example.org'`,
      { database: project.database },
    );
    expect((await retry(project, failed['id'])).body).toMatchObject({
      status: 409,
      code: 'MESSAGE_EXPIRED',
    });
  });

  test.each(['0', 'x', '00000000-0000-0000-0000-000000000000'])('%s is no message', async (id) => {
    expect((await retry(project, id)).body).toMatchObject({
      status: 404,
      code: 'MESSAGE_NOT_FOUND',
    });
  });
});

test('an expired message is given up without being sent', async () => {
  await save(project, 'email.smtp', { ...mailServer.settings, port: deadPort });
  await askForLink(project, 'expired@example.org');
  await fateOf(project, 'expired@example.org', 'queued');
  await asSuperuser(
    `update platform.messages set expires_at = now() where recipient = 'expired@example.org'`,
    { database: project.database },
  );
  await save(project, 'email.smtp', mailServer.settings);
  // Another message of the project brings the worker back.
  await askForLink(project, 'after@example.org');
  expect(await fateOf(project, 'expired@example.org', 'failed')).toMatchObject({
    lastError: expect.stringContaining('expired'),
  });
  expect(mailServer.mailsTo('expired@example.org')).toEqual([]);
});

test('a message without a job gets one, and a message to no account leaves nothing', async () => {
  await save(project, 'auth.methods.magicLink', { createUsers: false });
  await askForLink(project, 'unknown@example.org');
  const voids = () =>
    asSuperuser(`select from platform.messages where status = 'void'`, {
      database: project.database,
    });
  await waitFor(async () => (await voids()).length === 0);
  expect(await listed(project, '?recipient=unknown@example.org')).toEqual([]);
  const queued = (await listed(project, '?status=queued')).map(({ id }) => id);
  await waitFor(async () => (await notes()).length <= queued.length);
  expect((await notes()).map(({ id }) => id).toSorted()).toEqual(queued.toSorted());
});

test.each(['status=open', 'limit=0', 'limit=201', 'before=x', 'offset=1'])(
  'the query %s is refused',
  async (query) => {
    expect((await project.asService({ path: `/api/admin/messages?${query}` })).status).toBe(400);
  },
);

test('the newest come first, page by page', async () => {
  const all = (await listed(project)).map(({ id }) => id);
  const first = (await listed(project, '?limit=2')).map(({ id }) => id);
  const second = await listed(project, `?limit=2&before=${String(first[1])}`);
  expect([...first, ...second.map(({ id }) => id)]).toEqual(all.slice(0, 4));
  expect(all.length).toBeGreaterThan(4);
});
