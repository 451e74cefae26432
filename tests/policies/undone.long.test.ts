// A try leaves nothing: no row, no policy, no change for listeners, no file; and operators need a capability for changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { operatorHeaders } from '../http/administration.js';
import { asSuperuser } from '../support/deployment.js';
import { type Lab, openLab, tryOut, tryPath } from './lab.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const user = () => ({ kind: 'user', userId: lab.ada.id });

/** Everything that a try could leave behind, as the superuser sees it; sequences apart. */
function traces(): Promise<unknown> {
  return asSuperuser(
    `select (select json_agg(n order by id) from public.notes n) as notes,
      (select json_agg(c) from public.counted c) as counted,
      (select json_agg(json_build_array(polname, pg_get_expr(polqual, polrelid)) order by oid) from pg_policy) as policies,
      (select count(*) from realtime.outbox) as changes,
      (select count(*) from storage.uploads) as uploads,
      (select count(*) from storage.stored_files) as files,
      (select version from platform.schema_version) as version`,
    { database: lab.project.database },
  );
}

const policy = {
  kind: 'save',
  table: 'notes',
  name: 'everything',
  command: 'all',
  using: 'true',
};

test.each([
  { name: 'an insert', request: { kind: 'insert', table: 'counted', values: { body: 'yes' } } },
  {
    name: 'an update',
    request: { kind: 'update', table: 'notes', query: 'id=eq.1', values: { body: 'changed' } },
  },
  { name: 'a deletion', request: { kind: 'delete', table: 'notes', query: 'id=eq.1' } },
  {
    name: 'a change that returns rows',
    request: {
      kind: 'update',
      table: 'notes',
      query: 'id=eq.1',
      values: { body: 'changed' },
      prefer: 'return=representation,max-affected=1',
    },
  },
  {
    name: 'a refused insert',
    request: { kind: 'insert', table: 'counted', values: { body: 'no' } },
  },
  { name: 'a call that writes', request: { kind: 'rpc', function: 'write_note', arguments: {} } },
  {
    name: 'a file',
    request: { kind: 'file', access: 'write', bucket: 'pictures', key: 'a.png', size: 10 },
  },
  {
    name: 'changed policies',
    request: { kind: 'delete', table: 'notes', query: 'id=gt.0' },
    policies: [policy],
    count: 3,
  },
  {
    name: 'a dropped policy',
    request: { kind: 'select', table: 'notes' },
    policies: [{ kind: 'drop', table: 'notes', name: 'unlocked' }],
    count: 3,
  },
  {
    name: 'row level security that is turned off',
    request: { kind: 'select', table: 'notes' },
    policies: [{ kind: 'rls', table: 'notes', isEnabled: false }],
    count: 4,
  },
])('$name is undone', async ({ request, policies, count }) => {
  const before = await traces();
  const { status, body } = await tryOut(lab, user(), request, policies);
  expect(status).toBe(200);
  if (count !== undefined) expect(body).toMatchObject({ outcome: { kind: 'answered' }, count });
  expect(await traces()).toEqual(before);
});

beforeAll(async () => {
  const slug = 'pictures';
  await lab.project.asService({
    method: 'POST',
    path: '/api/admin/storage/buckets',
    body: { slug, name: slug },
  });
  await lab.project.sql(`create function write_note() returns int language sql as $$
    insert into notes (id, body) values (77, 'by a function') returning id $$`);
});

test('a policy that is no SQL is refused with the words of the database', async () => {
  const reply = await tryOut(lab, user(), { kind: 'select', table: 'notes' }, [
    { ...policy, using: 'owner = = 1' },
  ]);
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('syntax error');
});

test('a policy is tried right after the schema has changed', async () => {
  await lab.project.sql('create table late (id int primary key); insert into late values (1)');
  const change = { kind: 'save', table: 'late', name: 'all', command: 'select', using: 'true' };
  const request = { kind: 'select', table: 'late' };
  expect((await tryOut(lab, user(), request, [change])).body).toMatchObject({
    outcome: { kind: 'answered', body: [{ id: 1 }] },
  });
});

test('a constraint that is checked at the end of a transaction is checked', async () => {
  await lab.project.sql(`create table parents (id int primary key);
    create table children (id int primary key, parent int references parents deferrable initially deferred);
    create policy anyone on children for insert with check (true)`);
  const request = { kind: 'insert', table: 'children', values: { id: 1, parent: 5 } };
  expect((await tryOut(lab, user(), request)).body).toMatchObject({
    outcome: { kind: 'refused', code: '23503' },
  });
});

describe('an operator', () => {
  const call = (capabilities: Parameters<typeof operatorHeaders>[2], body: unknown) =>
    lab.project.send({
      method: 'POST',
      path: tryPath,
      body,
      headers: operatorHeaders(lab.deployment, lab.project, capabilities),
    });
  const body = { as: { kind: 'anon' }, request: { kind: 'select', table: 'notes' } };

  test('needs content.write to try', async () => {
    expect((await call(['content.read'], body)).status).toBe(403);
    expect((await call(['content.write'], body)).status).toBe(200);
  });

  test('needs secrets.manage to change policies', async () => {
    const changed = { ...body, policies: [policy] };
    expect((await call(['content.write', 'settings.manage'], changed)).body).toMatchObject({
      code: 'CAPABILITY_REQUIRED',
    });
    expect((await call(['content.write', 'secrets.manage'], changed)).status).toBe(200);
  });
});

test('the audit log has the SQL of the policies that are tried, without secrets', async () => {
  const using = "public.looks_like(body, 'rh_secret_0123456789abcdef') or true";
  const change = { kind: 'save', table: 'notes', name: 'tried', command: 'select', using };
  await tryOut(lab, { kind: 'anon' }, { kind: 'select', table: 'notes' }, [change]);
  const { text } = await lab.project.asService({ method: 'GET', path: '/api/admin/audit' });
  expect(text).toContain('looks_like');
  expect(text).not.toContain('rh_secret_0123456789abcdef');
});

test('the audit log has the try without keys, and of claims the subject alone', async () => {
  const as = {
    kind: 'claims',
    role: 'authenticated',
    claims: { sub: 'x', secret: 'hidden-claim' },
  };
  await tryOut(lab, as, { kind: 'select', table: 'notes' });
  const { text } = await lab.project.asService({ method: 'GET', path: '/api/admin/audit' });
  expect(text).toContain('policies.try');
  expect(text).not.toContain('hidden-claim');
});
