// What the audit log of a project keeps of the SQL editor, and what operators reach with it.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeSignedIn, operatorHeaders, rowsOf } from './administration.js';

const path = '/api/admin/sql';
let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
});
afterAll(() => deployment.close());

const run = (query: string, headers: Record<string, string>) =>
  project.send({ method: 'POST', path, headers, body: { query } });
const entries = () =>
  rowsOf(project, `select * from platform.audit_log where action = 'sql.run' order by id`);

test('a script is in the log with its text, who ran it and as whom, secrets masked', async () => {
  const before = (await entries()).length;
  await run(`select 1 as one; comment on schema public is 'x'; select 'Bearer abcdefgh12345678'`, {
    authorization: `Bearer ${admin.token}`,
  });
  const [entry] = (await entries()).slice(before);
  expect(entry).toMatchObject({
    actor_kind: 'user',
    actor_id: admin.id,
    target: 'owner',
    after: {
      sql: `select 1 as one; comment on schema public is 'x'; select 'Bearer [masked]'`,
      params: 0,
    },
  });
});

test('padding hides nothing: the log has all openings, the length and the hash', async () => {
  const before = (await entries()).length;
  const query = `${'select 1; '.repeat(500)}-- ${'x'.repeat(5000)}\ncomment on schema public is 'y'`;
  expect((await run(query, { apikey: project.secretKey })).status).toBe(200);
  expect((await entries()).slice(before)).toMatchObject([
    {
      after: {
        length: query.length,
        statements: 501,
        openings: { select: 500, 'comment on': 1 },
        sha256: createHash('sha256').update(query).digest('hex'),
      },
    },
  ]);
});

test('more openings than are counted apart are counted by their first words', async () => {
  const before = (await entries()).length;
  const selects = Array.from({ length: 300 }, (_, n) => `select a${n}`).join(';');
  await run(`${selects}; alter role nobody nologin`, { apikey: project.secretKey });
  const [{ after } = { after: {} }] = (await entries()).slice(before);
  const { openings } = asRecord(after);
  expect(openings).toMatchObject({ alter: 1 });
  expect(Object.keys(asRecord(openings)).length).toBeLessThan(200);
});

test.each([
  { field: 'query', body: { query: "select '\ud800'" } },
  { field: 'params', body: { query: 'select $1::text', params: ['\udc00'] } },
])('a $field that is not well-formed Unicode is refused by name', async ({ field, body }) => {
  const reply = await project.asService({ method: 'POST', path, body });
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(field),
  });
});

test('a script that fails is in the log as well', async () => {
  const before = (await entries()).length;
  const reply = await run('select nothing', { apikey: project.secretKey });
  expect(reply.status).toBe(400);
  expect((await entries()).slice(before)).toMatchObject([{ after: { sql: 'select nothing' } }]);
});

test('an operator without secrets.manage does not reach accounts', async () => {
  const headers = operatorHeaders(deployment, project, ['content.read', 'content.write']);
  const reply = await run('select email from auth."user"', headers);
  expect(reply.status).toBe(403);
  expect(reply.text).not.toContain(admin.email);
  expect((await entries()).at(-1)).toMatchObject({
    actor_kind: 'operator',
    target: 'service_role',
  });
});

test('an operator with secrets.manage runs scripts as the owner', async () => {
  const headers = operatorHeaders(deployment, project, ['content.write', 'secrets.manage']);
  const reply = await run('select email from auth."user"', headers);
  expect(reply.status).toBe(200);
  expect(asRecord(reply.body)['rows']).toEqual([{ email: admin.email }]);
});

test('an operator without content.write runs none', async () => {
  const before = (await entries()).length;
  const headers = operatorHeaders(deployment, project, ['content.read', 'secrets.manage']);
  expect((await run('select 1', headers)).status).toBe(403);
  expect(await entries()).toHaveLength(before);
});
