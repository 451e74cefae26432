// The end of a script before its time: by its id, by its author alone, and by the client that leaves.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { makeSignedIn, operatorHeaders, rowsOf } from '../http/administration.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { bearer } from '../support/replies.js';

const path = '/api/admin/sql';
let deployment: Deployment;
let project: ProjectUnderTest;
let other: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, other] = await Promise.all([deployment.createProject(), deployment.createProject()]);
  await project.sql(`create table public.kept (id text);
    create function public.stubborn(mark text) returns void language plpgsql as $$
    begin
      loop
        begin perform pg_sleep(20); exception when query_canceled then null; end;
      end loop;
    end $$`);
});
afterAll(() => deployment.close());

/** Whether a script with this mark runs in the database. */
const isRunning = async (mark: string) => {
  const text = `select from pg_stat_activity where state = 'active' and query like $1
    and pid <> pg_backend_pid()`;
  return (await rowsOf(project, text, [`%${mark}%`])).length > 0;
};
const asKey = () => ({ apikey: project.secretKey });

/** Starts a script, and resolves when it runs. */
async function start(call: (mark: string) => string, headers: Record<string, string>) {
  const id = randomUUID();
  const reply = project.send({ method: 'POST', path, headers, body: { query: call(id), id } });
  await waitFor(() => isRunning(id));
  return { id, reply };
}
const slow = (mark: string) =>
  `insert into kept values ('${mark}'); select pg_sleep(20), '${mark}'`;
const cancel = (id: string, headers: Record<string, string>, of = project) =>
  of.send({ method: 'DELETE', path: `${path}/${id}`, headers });
const keptRows = (mark: string) => rowsOf(project, 'select from public.kept where id = $1', [mark]);

test.each([
  { name: 'of the owner', query: slow },
  {
    name: 'that ignores the cancel request',
    query: (mark: string) => `select stubborn('${mark}')`,
  },
])('a script $name ends by its id, and nothing of it is kept', async ({ query }) => {
  const { id, reply } = await start(query, asKey());
  expect((await cancel(id.toUpperCase(), asKey())).status).toBe(204);
  expect((await reply).body).toMatchObject({ status: 409, code: 'SQL_CANCELLED' });
  await waitFor(async () => !(await isRunning(id)));
  expect(await keptRows(id)).toEqual([]);
  expect((await cancel(id, asKey())).body).toMatchObject({ code: 'SQL_RUN_NOT_FOUND' });
});

test('a script as another role ends too', async () => {
  const id = randomUUID();
  const body = { query: `select pg_sleep(20), '${id}'`, id, as: { role: 'anon' }, results: 'all' };
  const reply = project.asService({ method: 'POST', path, body });
  await waitFor(() => isRunning(id));
  await cancel(id, asKey());
  expect((await reply).body).toMatchObject({ code: 'SQL_CANCELLED' });
});

test('no other operator, administrator, key or project ends it', async () => {
  const mine = operatorHeaders(deployment, project, ['content.write', 'secrets.manage']);
  const admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  const { id, reply } = await start(slow, mine);
  expect((await cancel(id, asKey())).status).toBe(404);
  expect((await cancel(id, { ...bearer(admin) })).status).toBe(404);
  expect((await cancel(id, { apikey: other.secretKey }, other)).status).toBe(404);
  expect((await cancel(id, { apikey: project.publishableKey })).status).toBe(401);
  expect(await isRunning(id)).toBe(true);
  expect((await cancel(id, mine)).status).toBe(204);
  expect((await reply).status).toBe(409);
});

test('an id belongs to one script at a time', async () => {
  const { id, reply } = await start(slow, asKey());
  const body = { query: 'select 1', id };
  const second = await project.asService({ method: 'POST', path, body });
  expect(second.body).toMatchObject({ status: 409, code: 'CONFLICT' });
  await cancel(id, asKey());
  await reply;
  expect((await project.asService({ method: 'POST', path, body })).status).toBe(200);
});

test('a client that closes the request cancels its script', async () => {
  const mark = randomUUID();
  const leaving = new AbortController();
  const body = { query: slow(mark) };
  const reply = project.asService({ method: 'POST', path, body, signal: leaving.signal });
  void reply.catch(() => undefined);
  await waitFor(() => isRunning(mark));
  leaving.abort();
  await waitFor(async () => !(await isRunning(mark)));
  expect(await keptRows(mark)).toEqual([]);
});
