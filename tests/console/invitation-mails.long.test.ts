// Mails of invitations wait in the control plane until a worker sends them: over a real mail server.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { closeAll, openInbox } from '../delivery/open-inbox.js';
import { asRecord, asSuperuser, Deployment, operatorPassword } from '../support/deployment.js';
import type { Reply } from '../support/http.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let deployment: Deployment;
let env: Readonly<Record<string, string>>;
let organizationId: string;
let mails: Awaited<ReturnType<typeof openInbox>>['mails'];
/** The statuses that the mail server answers for these addresses instead of taking the next mail. */
const refusals = new Map<string, number>();

beforeAll(async () => {
  const inbox = await openInbox({
    onRcptTo({ address }, _session, done) {
      const responseCode = refusals.get(address);
      refusals.delete(address);
      if (responseCode === undefined) return done();
      done(Object.assign(new Error('not this one'), { responseCode }));
    },
  });
  const { host, port, from } = inbox.access;
  mails = inbox.mails;
  env = { SMTP_HOST: host, SMTP_PORT: String(port), SMTP_SECURE: 'false', SMTP_FROM: from };
  deployment = await Deployment.open({ env });
  const body = { name: 'Acme' };
  const made = await deployment.console({ method: 'POST', path: '/platform/organizations', body });
  organizationId = String(asRecord(made.body)['id']);
});
afterAll(async () => {
  await deployment.close();
  await closeAll();
});

const path = '/platform/operators/invitations';
const query = () => `?organizationId=${organizationId}`;
const sql = (text: string, values: unknown[] = []) =>
  asSuperuser(text, { database: deployment.ground.databaseName, values });
const rowOf = (invitation: Readonly<Record<string, unknown>> | undefined) =>
  sql('select status, attempts from operator_message where invitation_id = $1', [
    invitation?.['id'],
  ]);
const mailsTo = (address: string) => mails.filter(({ to }) => to?.[0]?.address === address);
const arrival = (address: string) => waitFor(async () => mailsTo(address).length > 0);

async function invite(
  email: string,
  by: Deployment = deployment,
): Promise<Record<string, unknown>> {
  const body = { email, organizationId, role: 'viewer' };
  const reply = await by.console({ method: 'POST', path, body });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return asRecord(reply.body);
}

const retry = (id: unknown): Promise<Reply> =>
  deployment.console({ method: 'POST', path: `${path}/${String(id)}/mail${query()}` });

/** The mail of an invitation as it is listed. */
async function listed(id: unknown): Promise<Record<string, unknown>> {
  const { body } = await deployment.console({ path: `${path}${query()}` });
  const { invitations } = asRecord(body);
  const all = Array.isArray(invitations) ? invitations.map(asRecord) : [];
  const found = all.find((each) => each['id'] === id);
  return asRecord(found?.['mail']);
}

/** Waits for the listed mail of an invitation to have these values. */
async function untilListed(id: unknown, values: Readonly<Record<string, unknown>>): Promise<void> {
  const holds = async () => {
    const mail = await listed(id);
    return Object.entries(values).every(([name, value]) => mail[name] === value);
  };
  await waitFor(holds, {
    until: `the mail has ${JSON.stringify(values)}`,
    ms: 30_000,
    everyMs: 50,
  });
}

test('a mail arrives soon, and its row keeps no link', async () => {
  const { id, inviteUrl } = await invite('soon@example.org');
  await arrival('soon@example.org');
  await untilListed(id, { status: 'sent', attempts: 1, lastError: null, nextTryAt: null });
  const [mail] = mailsTo('soon@example.org');
  expect(mail?.subject).toBe('You are invited to a Rowhouse console');
  expect(mail?.text).toContain(inviteUrl);
  expect(mail?.text).toContain('first@rowhouse.test invites you');
  const rows = await sql('select sealed_values from operator_message where invitation_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ sealed_values: null }]);
});

test('a server that refuses a mail for now gets it a little later, and the list says why', async () => {
  refusals.set('later@example.org', 451);
  const { id, mail } = await invite('later@example.org');
  expect(mail).toEqual({
    status: 'queued',
    attempts: 0,
    lastError: null,
    nextTryAt: expect.any(String),
  });
  await untilListed(id, { status: 'queued', attempts: 1 });
  const { lastError, nextTryAt } = await listed(id);
  expect(lastError).toContain('not this one');
  expect(Date.parse(String(nextTryAt))).toBeGreaterThan(Date.now());
  await untilListed(id, { status: 'sent', attempts: 2, lastError: null });
  expect(mailsTo('later@example.org')).toHaveLength(1);
});

test('a mail that is refused for good is tried again on demand alone, and once', async () => {
  refusals.set('refused@example.org', 550);
  const { id } = await invite('refused@example.org');
  await untilListed(id, { status: 'failed', attempts: 1, nextTryAt: null });
  expect((await listed(id))['lastError']).toContain('not this one');
  expect(mailsTo('refused@example.org')).toEqual([]);
  const revived = await retry(id);
  expect({ status: revived.status, body: revived.body }).toMatchObject({
    status: 200,
    body: { id, email: 'refused@example.org', mail: { status: 'queued', attempts: 0 } },
  });
  await untilListed(id, { status: 'sent', attempts: 1, lastError: null });
  expect((await retry(id)).body).toMatchObject({ status: 409, code: 'MESSAGE_SENT' });
  expect(mailsTo('refused@example.org')).toHaveLength(1);
  const entries = await sql(
    `select before, after from audit_entry where target = $1 and action = 'operator.invitation.mail'`,
    [id],
  );
  expect(entries).toEqual([{ before: { status: 'failed' }, after: { status: 'queued' } }]);
});

describe('mails of a process that was stopped between the answer and the delivery', () => {
  const invitations: Record<string, Record<string, unknown>> = {};

  beforeAll(async () => {
    await deployment.stop();
    deployment = await Deployment.open({ env: { ...env, ROLES: 'console' } }, deployment);
    for (const name of ['kept', 'interrupted', 'revoked', 'replaced', 'accepted', 'expired']) {
      invitations[name] = await invite(`${name}@example.org`);
    }
    invitations['replacing'] = await invite('replaced@example.org');
    const revoked = `${path}/${String(invitations['revoked']?.['id'])}${query()}`;
    await deployment.console({ method: 'DELETE', path: revoked });
    await sql(
      `update operator_message set status = 'sending', attempts = 1, leased_until = now()
       where recipient = 'interrupted@example.org'`,
    );
    // These end later, while a worker runs.
    await sql(
      `update operator_message set next_try_at = now() + interval '1 hour'
       where recipient in ('accepted@example.org', 'expired@example.org')`,
    );
    expect(mailsTo('kept@example.org')).toEqual([]);
    await deployment.stop();
    deployment = await Deployment.open({ env }, deployment);
    const due = `select from operator_message where status <> 'sent' and next_try_at < now()`;
    await waitFor(async () => (await sql(due)).length === 0);
  });

  test('arrive from another one', () => {
    const [mail, ...more] = mailsTo('kept@example.org');
    expect(mail?.text).toContain(invitations['kept']?.['inviteUrl']);
    expect(more).toEqual([]);
  });

  test('arrive when a try was interrupted', async () => {
    expect(mailsTo('interrupted@example.org')).toHaveLength(1);
    expect(await listed(invitations['interrupted']?.['id'])).toMatchObject({ attempts: 2 });
  });

  test('are gone with an invitation that is revoked', async () => {
    expect(mailsTo('revoked@example.org')).toEqual([]);
    expect(await rowOf(invitations['revoked'])).toEqual([]);
  });

  test('carry the link of the invitation that has replaced theirs', async () => {
    const texts = mailsTo('replaced@example.org').map(({ text }) => text);
    const { inviteUrl } = invitations['replacing'] ?? {};
    expect(texts).toEqual([expect.stringContaining(String(inviteUrl))]);
    expect(await rowOf(invitations['replaced'])).toEqual([]);
  });

  test.each([
    { name: 'accepted', end: 'accepted_at = now()' },
    { name: 'expired', end: 'expires_at = now()' },
  ])(
    'are not sent when the invitation was $name, and the next sign-in deletes them',
    async (row) => {
      const { [row.name]: invitation } = invitations;
      const id = invitation?.['id'];
      await sql(`update operator_invitation set ${row.end} where id = $1`, [id]);
      await sql('update operator_message set next_try_at = now() where invitation_id = $1', [id]);
      // Mails are begun in the order of their times.
      await invite(`after-${row.name}@example.org`);
      await arrival(`after-${row.name}@example.org`);
      expect(await rowOf(invitation)).toEqual([{ status: 'queued', attempts: 0 }]);
      const body = { email: 'first@rowhouse.test', password: operatorPassword };
      await deployment.console({ method: 'POST', path: '/platform/login', body });
      expect(await rowOf(invitation)).toEqual([]);
    },
  );
});

test('a worker without a mail server says so, and one with it sends the mail', async () => {
  await deployment.stop();
  deployment = await Deployment.open({ env: { ...env, ROLES: 'console' } }, deployment);
  const { id } = await invite('unequal@example.org');
  await deployment.stop();
  deployment = await Deployment.open({}, deployment);
  await untilListed(id, { status: 'queued', attempts: 1 });
  expect((await listed(id))['lastError']).toContain('SMTP_HOST');
  await deployment.stop();
  deployment = await Deployment.open({ env }, deployment);
  expect((await retry(id)).status).toBe(200);
  await untilListed(id, { status: 'sent', attempts: 2 });
});
