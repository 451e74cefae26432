// A right that is taken away is gone for requests that are under way, too: they wait behind the transaction that
// takes it, and look again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '#libs/testing';
import { startConsole, type TestConsole, testPassword } from './console-under-test.js';
import type { Reply } from '../support/http.js';
import { type OwnedProject, addMember, openOwnedProject } from './members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
beforeAll(async () => {
  console = await startConsole();
  owned = await openOwnedProject(console);
}, 60_000);
afterAll(() => console[Symbol.asyncDispose](), 60_000);

interface Revocation {
  /** Makes the request wait: a row that it needs is locked. */
  readonly lock: string;
  readonly request: () => Promise<Pick<Reply, 'status' | 'body'>>;
  /** What commits while the request waits. */
  readonly meanwhile: string;
  readonly id: string;
}

/** The answer to a request whose right is taken away while it waits. `$1` in the statements is the id. */
async function answerAfter({ lock, request, meanwhile, id }: Revocation) {
  const other = console.fixture.controlPlane.dataSource.createQueryRunner();
  try {
    await other.startTransaction();
    await other.query(lock, [id]);
    const answer = request();
    await untilWaiting();
    await other.query(meanwhile, [id]);
    await other.commitTransaction();
    return await answer;
  } finally {
    await other.release();
  }
}

async function untilWaiting(): Promise<void> {
  const waiting = `select from pg_catalog.pg_stat_activity
    where datname = pg_catalog.current_database() and wait_event_type = 'Lock'`;
  const isWaiting = async () => {
    const rows: unknown[] = await console.fixture.controlPlane.dataSource.query(waiting);
    return rows.length > 0;
  };
  await waitFor(isWaiting, { until: 'the request waits for a lock', ms: 20_000, everyMs: 10 });
}

const query = (sql: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  console.fixture.controlPlane.dataSource.query(sql, values);
const lockOperator = 'select from operator where id = $1 for update';

async function addAdministrator() {
  const operator = await console.addOperator();
  await query('update operator set is_deployment_admin = true where id = $1', [operator.id]);
  return { ...operator, token: await console.signIn(operator.email, operator.password) };
}

test.each([
  {
    name: 'the rights of an administrator',
    meanwhile: 'update operator set is_deployment_admin = false where id = $1',
    answer: { status: 403, body: { code: 'DEPLOYMENT_ADMIN_REQUIRED' } },
  },
  {
    name: 'an account that is disabled',
    meanwhile: `update operator set status = 'disabled' where id = $1`,
    answer: { status: 401, body: { code: 'UNAUTHORIZED' } },
  },
])('$name cannot be given back by a request of its own', async ({ meanwhile, answer }) => {
  const { id, token } = await addAdministrator();
  const request = () =>
    console.call('PATCH', `/platform/operators/${id}`, {
      token,
      body: { isDeploymentAdmin: true, status: 'active' },
    });
  expect(await answerAfter({ lock: lockOperator, request, meanwhile, id })).toMatchObject(answer);
  const [row] = await query(
    `select is_deployment_admin and status = 'active' as holds from operator where id = $1`,
    [id],
  );
  expect(row).toEqual({ holds: false });
});

test('a member who is demoted does not take the old role back', async () => {
  const member = await addMember(console, owned, { role: 'owner' });
  const [membership] = await query('select id from membership where operator_id = $1', [
    member.operatorId,
  ]);
  const path = `/platform/organizations/${owned.organizationId}/members/${String(membership?.['id'])}`;
  const answer = await answerAfter({
    lock: `select from organization join membership on membership.organization_id = organization.id
      where membership.operator_id = $1 for update of organization`,
    request: () => console.call('PATCH', path, { token: member.token, body: { role: 'owner' } }),
    meanwhile: `update membership set role = 'viewer' where operator_id = $1`,
    id: member.operatorId,
  });
  expect(answer).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
  const [now] = await query('select role from membership where operator_id = $1', [
    member.operatorId,
  ]);
  expect(now).toEqual({ role: 'viewer' });
});

test.each([
  {
    name: 'whose sessions are ended',
    sql: 'delete from operator_session where operator_id = $1',
    status: 401,
  },
  { name: 'who is removed', sql: 'delete from membership where operator_id = $1', status: 403 },
])('an operator $name makes no key', async ({ sql, status }) => {
  const member = await addMember(console, owned, { role: 'owner' });
  const path = `/platform/projects/${owned.ref}/keys`;
  const count = async () =>
    (await query('select from project_key where ref = $1', [owned.ref])).length;
  const before = await count();
  const answer = await answerAfter({
    lock: `select from project, membership where membership.operator_id = $1
      and project.organization_id = membership.organization_id for update of project`,
    request: () => console.call('POST', path, { token: member.token, body: { kind: 'secret' } }),
    meanwhile: sql,
    id: member.operatorId,
  });
  expect(answer.status).toBe(status);
  expect(await count()).toBe(before);
});

test('a password that was reset meanwhile stays the one of the reset', async () => {
  const { id, email, password } = await console.addOperator();
  const token = await console.signIn(email, password);
  const answer = await answerAfter({
    lock: lockOperator,
    request: () =>
      console.call('POST', '/platform/password', {
        token,
        body: { currentPassword: password, newPassword: 'the next long password' },
      }),
    meanwhile: `with reset as (update operator set must_change_password = true where id = $1)
      update operator_account set password = 'reset' where operator_id = $1`,
    id,
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
  const [stored] = await query('select password from operator_account where operator_id = $1', [
    id,
  ]);
  expect(stored).toEqual({ password: 'reset' });
});

test('a sign-in with the old password leaves no session', async () => {
  const { id, email } = await console.addOperator();
  const answer = await answerAfter({
    lock: 'select from operator_account where operator_id = $1 for update',
    request: () =>
      console.call('POST', '/platform/login', { body: { email, password: testPassword } }),
    // As a change of the password ends them: it does not see a session that is made after it.
    meanwhile: `update operator_account set password = 'new' where operator_id = $1`,
    id,
  });
  expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
  expect(await query('select from operator_session where operator_id = $1', [id])).toEqual([]);
});
