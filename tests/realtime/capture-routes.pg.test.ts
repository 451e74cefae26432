// Administrators see which tables are captured and switch them; writes over REST are captured.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeSignedIn, operatorHeaders, rowsOf } from '../http/administration.js';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

const tablesPath = '/api/admin/realtime/tables';
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table docs (id int primary key, body text);
    create table "Odd ""name""" (id int);
    create table session (id int);
    create table parts (id int) partition by list (id);
    create table parts_1 partition of parts for values in (1);
    create view docs_view as select * from docs;`);
}, 60_000);
afterAll(() => deployment.close());

const list = async () => (await project.asService({ path: tablesPath })).body;
const put = (table: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
  project.asService({
    method: 'PUT',
    path: `${tablesPath}/${encodeURIComponent(table)}`,
    body,
    ...(headers && { headers }),
  });

test('new tables are captured; partitions are part of their table', async () => {
  expect(await list()).toEqual([
    { table: 'Odd "name"', enabled: true },
    { table: 'docs', enabled: true },
    { table: 'parts', enabled: true },
  ]);
  expect((await project.asService({ path: '/admin/realtime/tables' })).body).toEqual(await list());
});

test.each(['docs', 'Odd "name"', 'parts'])('%s is switched off and on', async (table) => {
  for (const enabled of [false, true]) {
    const reply = await put(table, { enabled });
    expect([reply.status, reply.body]).toEqual([200, { table, enabled }]);
    expect(await list()).toContainEqual({ table, enabled });
  }
});

test('a change has its audit entry, and no change has none', async () => {
  await put('docs', { enabled: true });
  await put('docs', { enabled: false });
  await put('docs', { enabled: false });
  const reply = await project.asService({
    path: '/api/admin/audit?action=realtime.table&target=docs',
  });
  const entries = asRecord(reply.body)['entries'] as Record<string, unknown>[];
  expect(entries[0]).toMatchObject({ before: { enabled: true }, after: { enabled: false } });
  expect(entries.filter(({ after }) => asRecord(after)['enabled'] === false)).toHaveLength(2);
  await project.sql(`select realtime.enable('docs')`);
  expect(await list()).toContainEqual({ table: 'docs', enabled: true });
});

test.each(['none', 'docs_view', 'parts_1', 'session', 'pg_class', "x'; drop table docs; --"])(
  'there is no table %s to switch',
  async (table) => {
    const reply = await put(table, { enabled: false });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 'PGRST205', message: `There is no table ${table}` });
    expect(await list()).toHaveLength(3);
  },
);

test.each([{}, { enabled: 'no' }, { enabled: null }, { enabled: true, more: 1 }])(
  'the body %j is refused',
  async (body) => {
    const reply = await put('docs', body);
    expect(reply.status).toBe(400);
    expect(await list()).toContainEqual({ table: 'docs', enabled: true });
  },
);

test('only administrators, and operators with settings.manage, switch tables', async () => {
  const user = await makeSignedIn(project, 'user@example.org');
  expect((await project.as(user, { path: tablesPath })).status).toBe(403);
  expect((await project.send({ path: tablesPath })).status).toBe(401);
  const change = { method: 'PUT', path: `${tablesPath}/docs`, body: { enabled: false } };
  const reader = operatorHeaders(deployment, project, ['content.read']);
  expect((await project.send({ ...change, headers: reader })).status).toBe(403);
  expect(await list()).toContainEqual({ table: 'docs', enabled: true });
});

test('writes over REST are captured, and the outbox is out of their reach', async () => {
  await asSuperuser(
    `select setval('realtime.gate', 1::int8 << rowhouse_gate_bit('public.docs'::regclass))`,
    { database: project.database },
  );
  const write = (method: string, query: string, body?: unknown) =>
    project.asService({
      method,
      path: `/rest/v1/docs${query}`,
      ...(body !== undefined && { body }),
    });
  await write('POST', '', [
    { id: 1, body: 'a' },
    { id: 2, body: 'b' },
  ]);
  await write('PATCH', '?id=eq.1', { body: 'c' });
  await write('DELETE', '?id=eq.2');
  const rows = await rowsOf(project, 'select kind, n, o from realtime.outbox order by seq');
  expect(rows).toEqual([
    { kind: 'I', n: { id: 1, body: 'a' }, o: null },
    { kind: 'I', n: { id: 2, body: 'b' }, o: null },
    { kind: 'U', n: { id: 1, body: 'c' }, o: { id: 1, body: 'a' } },
    { kind: 'D', n: null, o: { id: 2, body: 'b' } },
  ]);
  for (const name of ['outbox', 'realtime.outbox', 'messages', 'interest']) {
    expect((await project.asService({ path: `/rest/v1/${name}` })).status).toBe(404);
    const profile = { 'accept-profile': 'realtime' };
    expect((await project.asService({ path: `/rest/v1/${name}`, headers: profile })).status).toBe(
      406,
    );
  }
});
