// Upgrades give the tables of a project their triggers while it is in use.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from 'pg';

import { waitFor } from '#libs/testing';

import { CaptureFixture } from '../realtime/capture-fixture.js';
import { watchTables } from '../../libs/control-plane/src/provisioning/watch-tables.js';

let project: CaptureFixture;
let admin: Client;
beforeEach(async () => {
  project = await CaptureFixture.open(
    'create table first (id int); create table second (id int); create table third (id int)',
  );
  admin = await project.connect('superuser');
  // As they are before the upgrade.
  await admin.query(`do $$
    declare one record;
    begin
      for one in select tgname, tgrelid::regclass as tbl from pg_trigger
        where tgrelid::regclass::text in ('first', 'second', 'third')
      loop
        execute format('drop trigger %I on %s', one.tgname, one.tbl);
      end loop;
    end $$`);
  await admin.query('set search_path = pg_catalog, pg_temp');
});
afterEach(() => project.close());

const tables = ['first', 'second', 'third'];
/** The tables that have all of their triggers. */
async function watched(): Promise<readonly unknown[]> {
  const { rows } = await project.engine.query<{ name: string }>(
    `select relname as name from pg_class
     where relname = any ($1) and cardinality(pg_catalog.rowhouse_capture_triggers(oid)) = 3 order by oid`,
    [tables],
  );
  return rows.map(({ name }) => name);
}

test('a table that is in use makes no other one wait, and is done when it is free', async () => {
  const writer = await project.connect();
  await writer.query('begin; insert into second values (1)');
  const run = watchTables(admin);
  await waitFor(async () => (await watched()).length === 2);
  expect(await watched()).toEqual(['first', 'third']);
  await project.owner.query(`set lock_timeout = '5s'`);
  expect(await project.run('insert into first values (1)')).toHaveLength(1);
  expect(await project.run('insert into third values (1)')).toHaveLength(1);
  await writer.query('commit');
  await run;
  expect(await watched()).toEqual(tables);
}, 60_000);

test('a table that stays in use is an error, and the next run does the rest', async () => {
  const writer = await project.connect();
  await writer.query('begin; insert into first values (1)');
  await expect(watchTables(admin, { maxWaitMs: 0 })).rejects.toMatchObject({ code: '55P03' });
  await writer.query('rollback');
  await watchTables(admin);
  expect(await watched()).toEqual(tables);
}, 60_000);

test('tables whose triggers are right are not locked', async () => {
  await watchTables(admin);
  const writer = await project.connect();
  await writer.query('begin; insert into first values (1)');
  await watchTables(admin, { maxWaitMs: 0 });
  await writer.query('rollback');
});
