// A deleted project can be restored until its time has come. Until then it looks like a missing one from outside.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProject, getProjectRecord } from '#libs/control-plane';
import { Client } from 'pg';

import { testDatabaseUrl } from '../support/deployment.js';
import { startConsole, type TestConsole } from './console-under-test.js';
import { databaseIdOf, tracesOf, uniqueWord } from './control-plane-fixture.js';
import { type OwnedProject, addMember, openOwnedProject } from './members-fixture.js';
import { finishHalfDone, runOperations } from './run-operations.js';

const dayMs = 24 * 60 * 60 * 1000;

let console: TestConsole;
let owned: OwnedProject;
let owner: string;
let developer: string;
/** The TXT records of every name. */
let texts: string[] = [];
beforeAll(async () => {
  console = await startConsole({ rootDomain: 'rows.test', readTxt: async () => ({ texts }) });
  owned = await openOwnedProject(console);
  owner = (await addMember(console, owned, { role: 'owner' })).token;
  developer = (await addMember(console, owned, { role: 'developer' })).token;
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

async function newProject() {
  const ref = uniqueWord('r');
  const body = { name: 'Shop', ref, organizationId: owned.organizationId };
  const made = await console.call('POST', '/platform/projects', { token: owner, body });
  const path = (rest = '') => `/platform/projects/${ref}${rest}`;
  return {
    ref,
    url: String(made.body.databaseUrl),
    path,
    call: (method: string, rest = '', body?: object) =>
      console.call(method, path(rest), { token: owner, body }),
    erase: () => console.call('DELETE', path('?now=true'), { token: owner, body: { ref } }),
  };
}

const query = (sql: string, values: unknown[]) =>
  console.fixture.controlPlane.dataSource.query(sql, values);

/** The connection string of a login to the database of `url`, where the platform connects. */
function asPlatform(
  url: string,
  login: { readonly user: string; readonly password: string },
): string {
  const { pathname } = new URL(url);
  const server = new URL(testDatabaseUrl());
  return Object.assign(server, { pathname, username: login.user, password: login.password }).href;
}

/** Whether a connection is admitted; the SQLSTATE of the refusal otherwise. */
async function canConnect(url: string): Promise<true | string> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  } finally {
    await client.end();
  }
}

test('a deleted project is kept for seven days, and lists say until when', async () => {
  const { ref, call, erase } = await newProject();
  const reply = await call('DELETE', '', { ref });
  expect(reply.status).toBe(204);
  const { body } = await call('GET');
  expect(body.status).toBe('deleted');
  const left = new Date(String(body.deleteAt)).getTime() - Date.now();
  expect(left).toBeGreaterThan(7 * dayMs - 60_000);
  expect(left).toBeLessThanOrEqual(7 * dayMs);
  const listed = async (status: string) => {
    const all = await console.call('GET', `/platform/projects?status=${status}`, { token: owner });
    return all.body.projects.map((project: { ref: string }) => project.ref);
  };
  expect(await listed('deleted')).toEqual([ref]);
  expect(await listed('active')).toEqual([owned.ref]);
  // Deleting it again moves nothing.
  expect((await call('DELETE', '', { ref })).status).toBe(204);
  expect((await call('GET')).body.deleteAt).toBe(body.deleteAt);
  await erase();
});

test('it answers as a missing one, its connections end, and its ref and domains are kept', async () => {
  const { fixture } = console;
  const { ref, url, call, erase } = await newProject();
  const domain = `${ref}.example.org`;
  await query(
    `insert into project_domain (domain, ref, token, verified_at, proof) values ($1, $2, $3, pg_catalog.now(), 'dns')`,
    [domain, ref, 'a'.repeat(40)],
  );
  expect((await findProject(fixture.context, domain, 'rows.test'))?.ref).toBe(ref);
  const record = await getProjectRecord(fixture.context, ref);
  const logins = Object.values(record?.database.logins ?? {}).map((login) =>
    asPlatform(url, login),
  );
  const open = new Client({ connectionString: url });
  open.on('error', () => undefined);
  const ended = new Promise((resolve) => open.once('end', resolve));
  await open.connect();
  await call('DELETE', '', { ref });
  await ended;
  expect(fixture.published.at(-1)).toMatchObject({
    topic: `project.${ref}`,
    data: { kind: 'deleted' },
  });
  expect(await getProjectRecord(fixture.context, ref)).toBeUndefined();
  expect(await findProject(fixture.context, domain, 'rows.test')).toBeUndefined();
  // Of a role without login, and of a database without connections.
  for (const login of logins) expect(['28000', '53300']).toContain(await canConnect(login));
  const again = await console.call('POST', '/platform/projects', {
    token: owner,
    body: { name: 'Again', ref, organizationId: owned.organizationId },
  });
  expect(again).toMatchObject({ status: 409, body: { code: 'REF_TAKEN' } });
  // Another project that has the record of the domain does not get it.
  const neighbor = await openOwnedProject(console);
  const other = (await addMember(console, neighbor, { role: 'owner' })).token;
  const at = `/platform/projects/${neighbor.ref}/domains`;
  const claim = await console.call('POST', at, { token: other, body: { domain } });
  texts = [claim.body.record.value];
  const verified = await console.call('POST', `${at}/${domain}/verify`, { token: other });
  expect(verified).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
  await call('POST', '/restore');
  expect((await findProject(fixture.context, domain, 'rows.test'))?.ref).toBe(ref);
  for (const login of logins) expect(await canConnect(login)).toBe(true);
  await erase();
});

test.each([
  { name: 'an active project', before: [], status: 'active', connects: true },
  { name: 'a paused project', before: ['/pause'], status: 'paused', connects: '28000' },
])('$name returns as it was', async ({ before, status, connects }) => {
  const { ref, url, call, erase } = await newProject();
  for (const step of before) await call('POST', step);
  await call('DELETE', '', { ref });
  expect(
    await console.call('POST', `/platform/projects/${ref}/restore`, { token: developer }),
  ).toMatchObject({ status: 403 });
  const restored = await call('POST', '/restore');
  expect(restored).toMatchObject({ status: 200, body: { ref, status, deleteAt: null } });
  expect(await canConnect(url)).toBe(connects);
  expect(await call('POST', '/restore')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  // Nothing deletes it any more.
  expect(await runOperations(console.fixture.context, ['delete'])).toEqual([]);
  await erase();
});

test('it is removed when its time has come, not before, and not because an operator asks for a retry', async () => {
  const { context } = console.fixture;
  const { ref, call } = await newProject();
  await call('DELETE', '', { ref });
  const { deleteAt } = (await call('GET')).body;
  const { body } = await console.call('GET', `/platform/operations?ref=${ref}`, { token: owner });
  const [operation] = body.operations;
  expect(operation).toMatchObject({ kind: 'delete', state: 'waiting', nextTryAt: deleteAt });
  const retry = `/platform/operations/${operation.id}/retry`;
  expect((await console.call('POST', retry, { token: owner })).status).toBe(200);
  expect(await runOperations(context, ['delete'])).toMatchObject([
    { operation: { ref }, outcome: { waitUntil: new Date(deleteAt) } },
  ]);
  expect((await call('GET')).body.status).toBe('deleted');
  await query(
    `update project set delete_at = pg_catalog.now() - '1 s'::pg_catalog.interval where ref = $1`,
    [ref],
  );
  expect(await finishHalfDone(context)).toEqual([ref]);
  expect(await tracesOf(console.fixture, ref)).toEqual([]);
  expect(await call('GET')).toMatchObject({ status: 404 });
});

test('its files in a store are removed with its own logins, which are open for that alone', async () => {
  const { context } = console.fixture;
  const { ref, url, call } = await newProject();
  await call('DELETE', '', { ref });
  await query(
    `update project set delete_at = pg_catalog.now() - '1 s'::pg_catalog.interval where ref = $1`,
    [ref],
  );
  const seen: unknown[] = [];
  const removing = {
    ...context,
    removeObjects: async ({
      database,
    }: Parameters<NonNullable<typeof context.removeObjects>>[0]) => {
      const engine = asPlatform(url, database.logins.engine);
      seen.push(await canConnect(engine), await canConnect(url));
    },
  };
  expect(await finishHalfDone(removing)).toEqual([ref]);
  expect(seen).toEqual([true, '28000']);
});

test('without days it is deleted at once', async () => {
  const hasty = await startConsole({ deletedProjectDays: 0 });
  try {
    const place = await openOwnedProject(hasty);
    const { token } = await addMember(hasty, place, { role: 'owner' });
    const { ref } = place;
    expect(await databaseIdOf(hasty.fixture, ref)).toBeDefined();
    await hasty.call('DELETE', `/platform/projects/${ref}?ref=${ref}`, { token });
    expect(await tracesOf(hasty.fixture, ref)).toEqual([]);
  } finally {
    await hasty[Symbol.asyncDispose]();
  }
}, 60_000);
