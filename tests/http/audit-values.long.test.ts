// The audit log of a project shows an operator the values that the operator could read at their own place, and no others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SETTINGS_GROUPS } from '#libs/settings';
import type { Capability } from '#libs/wire';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeSignedIn, makeUser, operatorHeaders, rowsOf, usersPath } from './administration.js';

const auditPath = '/api/admin/audit';
let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
});
afterAll(() => deployment.close());

const asOperator = (...capabilities: Capability[]) =>
  operatorHeaders(deployment, project, ['content.read', 'audit.read', ...capabilities]);

async function entriesAs(query: string, headers: Record<string, string>) {
  const reply = await project.send({ path: `${auditPath}?${query}`, headers });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  const { entries } = asRecord(reply.body);
  return Array.isArray(entries) ? entries.map((entry: unknown) => asRecord(entry)) : [];
}

async function note(action: string, target: string): Promise<void> {
  await rowsOf(
    project,
    `insert into platform.audit_log (actor_kind, actor_id, action, target, before, after)
     values ('user', 'u', $1, $2, '{"value":"old"}', '{"value":"new"}')`,
    [action, target],
  );
}

const shown = { before: { value: 'old' }, after: { value: 'new' } };
const hidden = { before: null, after: null };

describe.each(['settings.save', 'settings.revert', 'settings.restore'])('%s', (action) => {
  test.each(SETTINGS_GROUPS.map(({ name, capability }) => ({ name, capability })))(
    'of $name shows values with $capability',
    async ({ name, capability }) => {
      await note(action, name);
      const other = capability === 'secrets.manage' ? 'settings.manage' : 'secrets.manage';
      const query = `action=${action}&target=${name}`;
      expect(await entriesAs(query, asOperator(capability))).toMatchObject([shown]);
      expect(await entriesAs(query, asOperator(other))).toMatchObject([hidden]);
    },
  );
});

test.each([
  'user.update',
  'organization.setMember',
  'ssoProvider.create',
  'bucketToken.create',
  'settings.save',
  'added.later',
])('%s shows values with secrets.manage', async (action) => {
  await note(action, 'some target');
  const query = `action=${action}&target=some%20target`;
  expect(await entriesAs(query, asOperator('secrets.manage'))).toMatchObject([shown]);
  const others = asOperator('settings.manage', 'content.write', 'members.manage');
  expect(await entriesAs(query, others)).toMatchObject([hidden]);
});

test.each(['sql.run', 'rows.change', 'bucket.update', 'webhook.create'])(
  '%s shows values with audit.read',
  async (action) => {
    await note(action, 'another target');
    const query = `action=${action}&target=another%20target`;
    expect(await entriesAs(query, asOperator())).toMatchObject([shown]);
  },
);

test('a change of an account and of the mail server: time, actor and target, without values', async () => {
  const id = await makeUser(project, { email: 'before@example.org' });
  const body = { email: 'after@example.org' };
  await project.as(admin, { method: 'PATCH', path: `${usersPath}/${id}`, body });
  const smtp = { host: 'mail.example.org', from: 'a@example.org', user: 'mailer' };
  const path = '/api/admin/settings/email.smtp';
  expect((await project.as(admin, { method: 'PUT', path, body: smtp })).status).toBe(200);

  const seen = await entriesAs('limit=200', asOperator('settings.manage', 'content.write'));
  const text = JSON.stringify(seen.map(({ before, after }) => ({ before, after })));
  for (const value of ['before@example.org', 'after@example.org', 'mail.example.org', 'mailer']) {
    expect(text).not.toContain(value);
  }
  const actor = { kind: 'user', id: admin.id, email: admin.email };
  for (const [action, target] of [
    ['user.update', id],
    ['settings.save', 'email.smtp'],
  ]) {
    expect(seen).toContainEqual(expect.objectContaining({ actor, action, target, ...hidden }));
  }
});

test('the secret key and administrators of the project see all values', async () => {
  await note('user.update', 'of all');
  const query = 'action=user.update&target=of%20all';
  const byKey = await project.asService({ path: `${auditPath}?${query}` });
  expect(byKey.body).toMatchObject({ entries: [shown] });
  const bySession = await project.as(admin, { path: `${auditPath}?${query}` });
  expect(bySession.body).toMatchObject({ entries: [shown] });
});
