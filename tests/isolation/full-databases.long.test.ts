// A project whose database grows above its limit takes no writes, and is paused if its owner writes all the same. Its
// neighbor notices nothing.
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';

import {
  type ControlPlane,
  type DatabaseChange,
  limitDatabases,
  openControlPlane,
  projectsContext,
} from '#libs/control-plane';

import { asRecord, asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';

const megabyte = 1024 ** 2;
let deployment: Deployment;
let controlPlane: ControlPlane;
let hostile: ProjectUnderTest;
let neighbor: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.open();
  controlPlane = await openControlPlane({
    databaseUrl: testDatabaseUrl(),
    databaseName: deployment.ground.databaseName,
    masterKey: deployment.ground.masterKey,
    dataDir: deployment.ground.dataDir,
    reservedRefs: [],
  });
  [hostile, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  for (const project of [hostile, neighbor]) {
    await project.sql(`create table notes (id serial primary key, text text);
      alter table notes alter column text set storage external;
      create policy everybody on notes using (true) with check (true);
      create function write() returns void language sql as
        $$ insert into notes (text) values ('by a function') $$`);
    await project.signUp('user@example.org');
  }
}, 120_000);
afterAll(async () => {
  await controlPlane?.close();
  await deployment?.close();
}, 60_000);

const limitsPath = ({ ref }: ProjectUnderTest) => `/platform/projects/${ref}/limits`;
const setLimit = (databaseBytes: unknown, project = hostile) =>
  deployment.console({
    method: 'PUT',
    path: limitsPath(project),
    body: { storageBytes: null, databaseBytes },
  });
const sizeOf = async ({ database }: ProjectUnderTest): Promise<number> => {
  const rows = await asSuperuser('select pg_database_size($1)::float8 as bytes', {
    values: [database],
  });
  return Number(asRecord(rows[0])['bytes']);
};
const fullSince = async ({ ref }: ProjectUnderTest): Promise<unknown> =>
  asRecord((await deployment.console({ path: `/platform/projects/${ref}/status` })).body)[
    'databaseFullSince'
  ];

/** One round of the worker; a project may grow by a quarter and `slackBytes`. */
async function compare(slackBytes = 64 * megabyte): Promise<readonly DatabaseChange[]> {
  const changes: DatabaseChange[] = [];
  await limitDatabases(
    projectsContext(controlPlane, () => Promise.resolve()),
    {
      defaultBytes: undefined,
      onChange: (change) => changes.push(change),
      onFailure: (_ref, error) => expect.unreachable(String(error)),
      slackBytes,
    },
  );
  return changes;
}

const fill = (megabytes: number): string =>
  `insert into notes (text) select repeat(md5(i::text), ${megabyte / 32 / 4}) from generate_series(1, ${megabytes * 4}) i`;
const post = (project: ProjectUnderTest) =>
  project.send({ method: 'POST', path: '/rest/v1/notes', body: { text: 'a' } });

async function connect(project: ProjectUnderTest): Promise<Client> {
  const client = new Client({ connectionString: project.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test.each([-1, 1.5, '10'])('the limit %j is refused', async (databaseBytes) => {
  const reply = await setLimit(databaseBytes);
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('databaseBytes');
});

test('a limit that is left out stays', async () => {
  expect((await setLimit(5_000)).body).toEqual({
    storageBytes: null,
    databaseBytes: 5_000,
    sharedMailServer: null,
  });
  const reply = await setLimit(undefined);
  expect(reply.body).toEqual({ storageBytes: null, databaseBytes: 5_000, sharedMailServer: null });
  expect((await setLimit(null)).body).toEqual({
    storageBytes: null,
    databaseBytes: null,
    sharedMailServer: null,
  });
});

test('a database below its limit, and one without a limit, are left alone', async () => {
  await setLimit((await sizeOf(hostile)) + 4 * megabyte);
  await neighbor.sql(fill(8));
  expect(await compare()).toEqual([]);
  expect((await post(hostile)).status).toBe(201);
});

test('above its limit it takes no writes, and its neighbor does', async () => {
  const busy = await connect(hostile);
  await hostile.sql(fill(8));
  const [change] = await compare();
  expect(change).toMatchObject({ ref: hostile.ref, kind: 'full' });
  // The session that began before is ended: it would go on with the earlier setting.
  await expect(busy.query('select 1')).rejects.toThrow();
  await busy.end().catch(() => undefined);
  const refusal = { status: 507, body: { code: 'PROJECT_DATABASE_FULL' } };
  await waitFor(async () => (await post(hostile)).status === 507);
  expect(await post(hostile)).toMatchObject(refusal);
  const rpc = { method: 'POST', path: '/rest/v1/rpc/write', body: {} };
  expect(await hostile.send(rpc)).toMatchObject(refusal);
  // A function that writes under GET is refused as in any project.
  expect((await hostile.send({ path: '/rest/v1/rpc/write' })).status).toBe(405);
  await expect(hostile.sql('create table more ()')).rejects.toThrow('read-only');
  expect((await post(neighbor)).status).toBe(201);
  expect(await fullSince(hostile)).toEqual(expect.any(String));
  expect(await fullSince(neighbor)).toBeNull();
  const { text } = await deployment.console({ path: `/platform/projects/${hostile.ref}/audit` });
  expect(text).toContain('project.database-full');
});

test('its rows are read, and its users sign in', async () => {
  expect((await hostile.send({ path: '/rest/v1/notes?select=id&limit=1' })).status).toBe(200);
  const body = { email: 'user@example.org', password: userPassword };
  const reply = await hostile.send({ method: 'POST', path: '/api/auth/sign-in/email', body });
  expect(reply.status).toBe(200);
});

test('nothing changes while it is full, and it is said once', async () => {
  const before = await fullSince(hostile);
  expect(await compare()).toEqual([]);
  expect(await fullSince(hostile)).toBe(before);
});

test('its owner makes room, and it takes writes again', async () => {
  await hostile.sql('set transaction read write; truncate notes');
  expect(await compare()).toMatchObject([{ ref: hostile.ref, kind: 'released' }]);
  await waitFor(async () => (await post(hostile)).status === 201);
  expect(await fullSince(hostile)).toBeNull();
});

test('a larger limit opens it, too', async () => {
  await hostile.sql(fill(8));
  expect(await compare()).toMatchObject([{ kind: 'full' }]);
  await setLimit((await sizeOf(hostile)) + 4 * megabyte);
  expect(await compare()).toMatchObject([{ kind: 'released' }]);
  await waitFor(async () => (await post(hostile)).status === 201);
});

test('a project whose owner goes on writing is paused, and its neighbor is served', async () => {
  await setLimit((await sizeOf(hostile)) - megabyte);
  expect(await compare()).toMatchObject([{ kind: 'full' }]);
  const owner = await connect(hostile);
  await owner.query('set default_transaction_read_only = off');
  await owner.query(fill(16));
  expect(await compare(2 * megabyte)).toMatchObject([{ ref: hostile.ref, kind: 'paused' }]);
  await expect(owner.query(fill(1))).rejects.toThrow();
  await expect(connect(hostile)).rejects.toThrow();
  await waitFor(async () => (await post(hostile)).status === 503);
  expect((await post(neighbor)).status).toBe(201);
  await owner.end().catch(() => undefined);
});
