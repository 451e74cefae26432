// Databases whose collation version is not that of the operating system, as after an update of it: PostgreSQL refuses
// to copy them.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openControlPlane, upgradeProject } from '#libs/control-plane';

import { openOwnServer, type OwnServer } from '../support/own-server.js';
import { withClient } from '../support/test-server.js';
import { inProject, laterContext, projectWithNotes } from '../upgrade/upgrade-fixture.js';
import { type ControlPlaneFixture, databaseIdOf, openFixture } from './control-plane-fixture.js';

let server: OwnServer;
let fixture: ControlPlaneFixture;

beforeAll(async () => {
  server = await openOwnServer();
  fixture = await openFixture(server.url);
}, 120_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Gives databases the collation version of an earlier operating system, and returns how many there are. */
const age = (condition: string) =>
  withClient(server.url, async (client) => {
    const sql = `update pg_database set datcollversion = '0' where ${condition}`;
    return (await client.query(sql)).rowCount;
  });
const listAged = () =>
  withClient(server.url, async (client) => {
    const sql = `select datname from pg_database where datcollversion = '0' and datname ~ '^rowhouse_template'`;
    return (await client.query(sql)).rows;
  });

test('templates of ours are built again, by the request that finds them', async () => {
  expect(await age(`datname ~ '^rowhouse_template_text'`)).toBe(1);
  const [{ ref }] = await Promise.all([fixture.newProject(), fixture.newProject()]);
  expect(await listAged()).toEqual([]);
  expect(await inProject(fixture, ref, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('templates of ours are built again by a start', async () => {
  expect(await age(`datname ~ '^rowhouse_template_uuid'`)).toBe(1);
  const { databaseName, controlPlane } = fixture;
  const again = await openControlPlane({
    databaseUrl: server.url,
    databaseName,
    masterKey: controlPlane.masterKey.bytes,
    reservedRefs: [],
  });
  await again.close();
  expect(await listAged()).toEqual([]);
});

test('a snapshot that PostgreSQL refuses fails its project, with the reason and the remedy', async () => {
  const ref = await projectWithNotes(fixture);
  const database = `p_${await databaseIdOf(fixture, ref)}`;
  await age(`datname = '${database}'`);
  const added = { name: '9999_later', sql: 'create table platform.later (id int);' };
  const context = laterContext(fixture, added);
  const result = await upgradeProject(context, ref, { withSnapshot: true });
  const remedy = `ALTER DATABASE "${database}" REFRESH COLLATION VERSION`;
  expect(result).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(remedy) });
  const [operation] = await fixture.context.dataSource.query(
    'select last_error as error from operation where ref = $1 order by id desc limit 1',
    [ref],
  );
  expect(operation.error).toContain(remedy);
  expect(await inProject(fixture, ref, 'select id from notes')).toEqual([{ id: 1 }]);
});

test('a first start names an old template1 and the remedy', async () => {
  expect(await age(`datname = 'template1'`)).toBe(1);
  const start = openControlPlane({
    databaseUrl: server.url,
    databaseName: 'rowhouse_first',
    masterKey: fixture.controlPlane.masterKey.bytes,
    reservedRefs: [],
  });
  await expect(start).rejects.toThrow(/ALTER DATABASE template1 REFRESH COLLATION VERSION/);
});
