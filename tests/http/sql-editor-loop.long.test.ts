// No script and no answer of the SQL editor blocks the event loop, which all projects share.
import { once } from 'node:events';
import { request } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders } from './administration.js';
import { holdsLoop } from './event-loop.js';

const boundMs = 50;
const half = 512 * 1024;
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

/** Sends a script and goes through the answer without keeping it: that would block the loop of this process itself. */
async function run(body: string, credential: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(deployment.apiOrigin);
  const headers = { host: project.host, 'content-type': 'application/sql', ...credential };
  const sent = request({ method: 'POST', hostname, port, path: '/api/admin/sql', headers });
  sent.end(body);
  const [reply] = await once(sent, 'response');
  for await (const chunk of reply) void chunk;
  return Number(reply.statusCode);
}

const asOwner = () => ({ apikey: project.secretKey });
const onRows = () => operatorHeaders(deployment, project, ['content.read', 'content.write']);

test.each([
  {
    name: 'a long word and many words',
    sql: `create or replace ${'z'.repeat(half - 100)} ${'a '.repeat(half / 2 - 100)}`,
  },
  { name: 'many statements', sql: 'select;'.repeat(100_000) + '-' },
  { name: 'line breaks', sql: `${'\n'.repeat(2 * half - 100)}from` },
  { name: 'many names of secrets', sql: `select '${'toke '.repeat(half / 4)}` },
])(
  'while a script of $name is read, other requests run',
  async ({ sql }) => {
    for (const headers of [asOwner(), onRows()]) {
      expect(await run(sql, headers)).toBe(400);
      expect(await holdsLoop(() => run(sql, headers), boundMs)).toBe(false);
    }
  },
  60_000,
);

test.each([
  { name: 'JSON of many parts', sql: `select ('[' || repeat('{},', 4000000) || '{}]')::json` },
  { name: 'an array', sql: `select ('{' || repeat('{a},', 1000000) || '{a}}')::text[]` },
  { name: 'many rows', sql: 'select n from generate_series(1, 300000) n' },
  { name: 'a long value', sql: `select repeat(chr(34), 7000000)` },
])(
  'while an answer with $name is written, other requests run',
  async ({ sql }) => {
    expect(await run(sql, asOwner())).toBe(200);
    expect(await holdsLoop(() => run(sql, asOwner()), boundMs)).toBe(false);
  },
  60_000,
);

test('an array of too many parts is too large', async () => {
  const sql = `select ('{' || repeat('{a},', 3000000) || '{a}}')::text[]`;
  expect(await run(sql, asOwner())).toBe(400);
  expect(await holdsLoop(() => run(sql, asOwner()), boundMs)).toBe(false);
});
