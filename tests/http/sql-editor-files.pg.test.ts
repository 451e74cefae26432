// A script that is the body of its request, as `application/sql`.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders, rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

const type = 'application/sql';
const entries = () =>
  rowsOf(project, `select * from platform.audit_log where action = 'sql.run' order by id`);

function run(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const sent = { apikey: project.secretKey, 'content-type': type, ...headers };
  return project.send({ method: 'POST', path: '/api/admin/sql', headers: sent, body });
}

test.each([type, 'application/SQL; charset=utf-8'])('%s: the body is the script', async (name) => {
  const reply = await run('-- ü\nselect 1;\nselect \'{"a": 1}\' as one', { 'content-type': name });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ rows: [{ one: '{"a": 1}' }] });
  expect((await entries()).at(-1)).toMatchObject({ after: { params: 0 } });
});

test('its errors have their place', async () => {
  expect((await run('select 1;\nselect nothing')).body).toMatchObject({
    details: { statement: 2, line: 2, column: 8 },
  });
});

test('the console forwards it', async () => {
  const reply = await deployment.console({
    method: 'POST',
    path: `/platform/projects/${project.ref}/api/admin/sql`,
    headers: { 'content-type': type },
    body: 'select 2 as two',
  });
  expect(asRecord(reply.body)['rows']).toEqual([{ two: 2 }]);
});

test('an operator without secrets.manage works on rows alone', async () => {
  const headers = operatorHeaders(deployment, project, ['content.read', 'content.write']);
  const sent = { ...headers, apikey: '' };
  expect((await run('create table t (a int)', sent)).status).toBe(400);
  expect((await run('select 1', sent)).status).toBe(200);
});

test.each([
  { name: 'the publishable key', headers: () => ({ apikey: project.publishableKey }), status: 401 },
  {
    name: 'an operator without content.write',
    headers: () => ({ apikey: '', ...operatorHeaders(deployment, project, ['content.read']) }),
    status: 403,
  },
])('$name is refused', async ({ headers, status }) => {
  const before = (await entries()).length;
  expect((await run('select 1', headers())).status).toBe(status);
  expect(await entries()).toHaveLength(before);
});

test.each([
  { name: 'no text', body: '', status: 400 },
  { name: 'bytes that are not UTF-8', body: Buffer.from([0x2d, 0x2d, 0xff]), status: 400 },
  { name: 'more than a megabyte', body: `--${' '.repeat(1024 * 1024)}`, status: 413 },
])('$name is refused', async ({ body, status }) => {
  const before = (await entries()).length;
  expect((await run(body)).status).toBe(status);
  expect(await entries()).toHaveLength(before);
});

test('other routes take no such body', async () => {
  const path = '/api/admin/settings/api.rest';
  const headers = { apikey: project.secretKey, 'content-type': type };
  expect((await project.send({ method: 'PUT', path, headers, body: '{}' })).status).toBe(415);
});
