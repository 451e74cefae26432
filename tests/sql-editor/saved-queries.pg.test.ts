// Saved queries: who sees, changes and deletes them, what is refused, and what the log keeps.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { auditOf, makeSignedIn, operatorHeaders, rowsOf } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bearer } from '../support/replies.js';

const path = '/api/admin/queries';
let deployment: Deployment;
let project: ProjectUnderTest;
let other: ProjectUnderTest;
let admin: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, other] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
});
afterAll(() => deployment.close());

type Headers = Readonly<Record<string, string>>;
const asAdmin = (): Headers => ({ ...bearer(admin) });
const asKey = (): Headers => ({ apikey: project.secretKey });
const asSupport = (): Headers => operatorHeaders(deployment, project, ['content.write']);
const call = (headers: Headers, rest: Call) => project.send({ ...rest, headers });
const save = async (headers: Headers, body: Readonly<Record<string, unknown>> = {}) => {
  const full = { name: 'Users', sql: 'select 1', ...body };
  const reply = await call(headers, { method: 'POST', path, body: full });
  expect(reply.status).toBe(201);
  return String(asRecord(reply.body)['id']);
};
const seen = async (headers: Headers): Promise<unknown[]> => {
  const { queries } = asRecord((await call(headers, { path })).body);
  return Array.isArray(queries) ? queries.map((query) => asRecord(query)['id']) : [];
};
const codeOf = ({ body }: Reply) => asRecord(body)['code'];
const of = (id: string) => `${path}/${id}`;

test('a query is saved, listed without its text, read, changed and deleted', async () => {
  const id = await save(asAdmin(), { name: '  By day  ', sql: 'select 2' });
  const listed = asRecord((await call(asAdmin(), { path })).body)['queries'];
  const entry = {
    id,
    name: 'By day',
    isShared: false,
    isOwn: true,
    author: 'admin@example.org',
    updatedAt: expect.any(String),
  };
  expect(listed).toEqual([entry]);
  expect((await call(asAdmin(), { path: of(id) })).body).toEqual({ ...entry, sql: 'select 2' });
  const body = { name: 'By week' };
  const changed = await call(asAdmin(), { method: 'PATCH', path: of(id), body });
  expect(changed.body).toMatchObject({ name: 'By week', sql: 'select 2', isShared: false });
  expect((await call(asAdmin(), { method: 'DELETE', path: of(id) })).status).toBe(204);
  expect(await seen(asAdmin())).toEqual([]);
  const log = await auditOf(project, id);
  expect(log.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['query.create', admin.id],
    ['query.update', admin.id],
    ['query.delete', admin.id],
  ]);
  expect(log[1]).toMatchObject({
    before: { name: 'By day', isShared: false, length: 8 },
    after: { name: 'By week' },
  });
});

test('a private query is not there for others', async () => {
  const id = await save(asAdmin());
  for (const headers of [asKey(), asSupport()]) {
    expect(await seen(headers)).not.toContain(id);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {};
      const reply = await call(headers, { method, path: of(id), ...body });
      expect([reply.status, codeOf(reply)]).toEqual([404, 'SAVED_QUERY_NOT_FOUND']);
    }
  }
  expect(await seen(asAdmin())).toContain(id);
});

test('a shared query is seen by others, and changed by its author alone', async () => {
  const id = await save(asAdmin(), { isShared: true });
  const reply = await call(asSupport(), { path: of(id) });
  expect(reply.body).toMatchObject({ isOwn: false, author: 'admin@example.org', sql: 'select 1' });
  const change = { method: 'PATCH', path: of(id), body: { sql: 'drop table users' } };
  for (const headers of [asSupport(), asKey()]) {
    expect(codeOf(await call(headers, change))).toBe('SAVED_QUERY_OF_ANOTHER');
  }
  expect(codeOf(await call(asSupport(), { method: 'DELETE', path: of(id) }))).toBe(
    'SAVED_QUERY_OF_ANOTHER',
  );
  expect((await call(asAdmin(), { path: of(id) })).body).toMatchObject({ sql: 'select 1' });
  // Who runs SQL as the owner tidies up.
  expect((await call(asKey(), { method: 'DELETE', path: of(id) })).status).toBe(204);
});

test('a query that is shared no more is gone for others', async () => {
  const id = await save(asAdmin(), { isShared: true });
  expect(await seen(asSupport())).toContain(id);
  await call(asAdmin(), { method: 'PATCH', path: of(id), body: { isShared: false } });
  expect(await seen(asSupport())).not.toContain(id);
});

test('a query of one project is not there in another', async () => {
  const id = await save(asKey(), { isShared: true });
  const headers = { apikey: other.secretKey };
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {};
    expect((await other.send({ method, path: of(id), headers, ...body })).status).toBe(404);
  }
  expect((await other.send({ path, headers })).body).toEqual({ queries: [] });
});

test.each([
  {
    name: 'viewers',
    status: 403,
    headers: () => operatorHeaders(deployment, project, ['content.read']),
  },
  { name: 'visitors', status: 401, headers: () => ({ apikey: project.publishableKey }) },
])('$name have no saved queries', async ({ status, headers }) => {
  for (const rest of [{ path }, { method: 'POST', path, body: { name: 'a', sql: 'select 1' } }]) {
    expect((await call(headers(), rest)).status).toBe(status);
  }
});

test.each([
  { field: 'name', body: { name: '   ' } },
  { field: 'name', body: { name: 'x'.repeat(121) } },
  { field: 'name', body: { name: 5 } },
  { field: 'name', body: { name: 'a\0b' } },
  { field: 'sql', body: { sql: '' } },
  { field: 'sql', body: { sql: 'x'.repeat(100_001) } },
  { field: 'sql', body: { sql: null } },
  { field: 'isShared', body: { isShared: 'yes' } },
  { field: 'isShared', body: { isShared: null } },
  { field: 'author', body: { author: 'somebody' } },
])('a wrong $field is refused by name: case %#', async ({ field, body }) => {
  const before = await seen(asKey());
  const full = { name: 'Users', sql: 'select 1', ...body };
  const reply = await call(asKey(), { method: 'POST', path, body: full });
  expect(reply.status).toBe(400);
  expect(asRecord(reply.body)['message']).toContain(field);
  expect(await seen(asKey())).toEqual(before);
});

test.each(['42', 'nothing', '00000000-0000-4000-8000-000000000000'])(
  'the id %s names no query',
  async (id) => {
    expect(codeOf(await call(asKey(), { path: of(id) }))).toBe('SAVED_QUERY_NOT_FOUND');
  },
);

test('an author has 200 queries, also when they are saved at the same time', async () => {
  await rowsOf(
    project,
    `insert into platform.saved_queries (author_kind, author_id, name, sql)
     select 'operator', 'operator-1', 'n' || n, 'select 1' from generate_series(1, 198) n`,
  );
  const body = { name: 'One more', sql: 'select 1' };
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => call(asSupport(), { method: 'POST', path, body })),
  );
  const statuses = replies.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, 201, 409, 409, 409, 409]);
  expect(replies.map(codeOf)).toContain('TOO_MANY_SAVED_QUERIES');
  await save(asAdmin());
});

test('code of the project reads and writes no saved query', async () => {
  const text = 'select * from platform.saved_queries';
  await expect(project.sql(text)).rejects.toThrow('42501');
});
