// A project with many tables does not block the event loop: neither the description of its tables, nor their types,
// nor the reading of its catalog after a change.
import { once } from 'node:events';
import { get } from 'node:http';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { holdsLoop } from './event-loop.js';

const boundMs = 50;
const tables = 300;
const columns = 100;
/** As many as have 20,000 columns together. */
const described = 200;
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await sql(`
    do $$ begin
      for i in 1..${tables} loop
        execute format('create table t%s (id int primary key, %s)', i,
          (select string_agg(format('c%s text', n), ',') from generate_series(1, ${columns - 1}) n));
      end loop;
    end $$;
    grant select on all tables in schema public to anon;`);
}, 120_000);
afterAll(() => deployment.close());

async function sql(query: string): Promise<void> {
  const reply = await project.asService({
    method: 'POST',
    path: '/api/admin/sql',
    body: { query },
  });
  expect(reply.status).toBe(200);
}

/** The length of an answer, in bytes. It is not read: that would block the loop of this process itself. */
async function lengthOf(path: string): Promise<number> {
  const { hostname, port } = new URL(deployment.apiOrigin);
  const headers = { host: project.host, apikey: project.secretKey };
  const [reply] = await once(get({ hostname, port, path, headers }), 'response');
  expect(reply.statusCode).toBe(200);
  let length = 0;
  for await (const chunk of reply) length += chunk.length;
  return length;
}

test('a description of more than 12 MB is not read, and nobody waits for it', async () => {
  const large = await deployment.createProject();
  const parameters = Array.from({ length: 100 }, (_, n) => `${'p'.repeat(59)}${n} int`).join(',');
  await large.sql(`do $$ begin
    for i in 1..2500 loop
      execute format('create function f%s(${parameters}) returns int language sql as ''select 1''', i);
    end loop; end $$`);
  const read = (): Promise<Reply> =>
    large.send({ path: '/rest/v1/nothing', headers: { apikey: large.publishableKey } });
  let reply: Reply | undefined;
  expect(await holdsLoop(async () => (reply = await read()), boundMs)).toBe(false);
  expect(reply?.status).toBe(503);
  expect(reply?.body).toMatchObject({ code: 'SCHEMA_TOO_LARGE' });
  await large.sql(`do $$ begin
    for i in 1..2500 loop execute format('drop function f%s', i); end loop; end $$`);
  expect((await read()).status).toBe(404);
}, 120_000);

test.each(['/rest/v1/', '/api/admin/rest/docs/openapi.json', '/api/admin/types'])(
  'while %s is written, other requests run',
  async (path) => {
    expect(await lengthOf(path)).toBeGreaterThan(1_000_000);
    expect(await holdsLoop(() => lengthOf(path), boundMs)).toBe(false);
  },
);

test('while the catalog is read after a change, other requests run', async () => {
  let count = 0;
  const isHeld = await holdsLoop(async () => {
    count += 1;
    await sql(`alter table t99 add column added${count} int`);
    const reply = await project.asService({ path: `/rest/v1/t99?select=added${count}` });
    expect(reply.status).toBe(200);
  }, boundMs);
  expect(isHeld).toBe(false);
});

test('a document of more columns than anybody reads says what it leaves out', async () => {
  const reply = await project.asService({ path: '/rest/v1/' });
  const { info, paths } = asRecord(reply.body);
  expect(Object.keys(asRecord(paths)).filter((path) => path.startsWith('/t'))).toHaveLength(
    described,
  );
  expect(asRecord(info)['description']).toContain(
    `Left out because of the length of this document: ${tables - described} tables, 0 functions.`,
  );
});
