// What the owner of a project can do to capture: switch off the own tables and write lines of the own project. The
// objects of the schema realtime are out of reach, and dumps of the own tables keep what they say.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { overloads } from '../support/hostile-owner.js';
import { majorOf, serverMajor } from '../support/postgres-programs.js';
import { CaptureFixture, inserted } from './capture-fixture.js';

let project: CaptureFixture;
let superuser: Client;
beforeAll(async () => {
  project = await CaptureFixture.open('create table docs (id int primary key, body text)');
  superuser = await project.connect('superuser');
}, 60_000);
afterAll(() => project.close());

describe('refused to the owner is', () => {
  test.each([
    { name: 'to read the outbox', sql: 'select from realtime.outbox' },
    { name: 'to change lines', sql: `update realtime.outbox set n = '1'` },
    { name: 'to delete lines', sql: 'delete from realtime.outbox' },
    {
      name: 'to choose the number of a line',
      sql: `insert into realtime.outbox (kind, seq) overriding system value values ('I', 1)`,
    },
    {
      name: 'to choose the transaction of a line',
      sql: `insert into realtime.outbox (kind, txid) values ('I', '1')`,
    },
    {
      name: 'to choose the time of a line',
      sql: `insert into realtime.outbox (kind, at) values ('I', now())`,
    },
    {
      name: 'a trigger on the outbox',
      sql: 'create trigger mine before insert on realtime.outbox for each row execute function suppress_redundant_updates_trigger()',
    },
    { name: 'to alter the outbox', sql: 'alter table realtime.outbox add column x int' },
    {
      name: 'to lock the outbox',
      sql: 'do $$ begin lock table realtime.outbox in access share mode; end $$',
    },
    {
      name: 'to choose a number of the outbox',
      sql: `select nextval('realtime.outbox_seq_seq')`,
    },
    { name: 'to move the gate', sql: `select setval('realtime.gate', 0)` },
    { name: 'to take a value of the gate', sql: `select nextval('realtime.gate')` },
    { name: 'to listen', sql: `select realtime.listen('{1}', 'mine', 60)` },
    { name: 'to trim', sql: 'select realtime.trim_outbox()' },
    { name: 'to ask about positions', sql: `select realtime.is_kept('1:1:', '{}')` },
    {
      name: 'to register interest',
      sql: `insert into realtime.interest values (1, 'mine', now())`,
    },
    { name: 'to hold what is kept', sql: 'select from realtime.kept for update' },
    {
      name: 'a function of the schema',
      sql: 'create function realtime.mine() returns int language sql as $$ select 1 $$',
    },
    {
      name: 'to replace a function',
      sql: `create or replace function realtime.topic() returns text language sql as $$ select 'x' $$`,
    },
    { name: 'to drop a function', sql: 'drop function realtime.capture_insert() cascade' },
    { name: 'to drop the schema', sql: 'drop schema realtime cascade' },
    { name: 'to drop the event trigger', sql: 'drop event trigger platform_watch_tables' },
    {
      name: 'to replace a function of the event trigger',
      sql: 'create or replace function pg_catalog.rowhouse_watch_table(regclass) returns void language sql as $$ $$',
    },
    { name: 'the replication role', sql: 'set session_replication_role = replica' },
  ])('$name', async ({ sql }) => {
    await expect(project.owner.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('roles of requests', () => {
  test.each(['anon', 'authenticated', 'service_role'])(
    '%s cannot read the outbox',
    async (role) => {
      await superuser.query(`set role ${role}`);
      for (const sql of ['select from realtime.outbox', `select realtime.listen('{}', 'x', 1)`]) {
        await expect(superuser.query(sql)).rejects.toMatchObject({ code: '42501' });
      }
      await superuser.query('reset role');
    },
  );

  test('write tables with their own rights, and casts run with those', async () => {
    await project.owner.query(`
      create type tag as enum ('x'); create table seen (who text); grant insert on seen to public;
      alter table seen disable row level security; select realtime.disable('seen');
      create function tag_json(tag) returns json language plpgsql as $$ begin
        insert into public.seen values (current_user); return to_json('t'::text); end $$;
      create cast (tag as json) with function tag_json(tag);
      create table tagged (id int, tag tag); alter table tagged disable row level security;
      grant insert on tagged to anon`);
    await project.lines();
    await superuser.query(`set role anon; insert into tagged values (1, 'x'); reset role`);
    expect(await project.lines()).toEqual([inserted({ id: 1, tag: 't' }, 'public.tagged')]);
    expect((await project.owner.query('select who from seen')).rows).toEqual([{ who: 'anon' }]);
  });
});

test('functions and operators of the owner take no part', async () => {
  // With a trigger that runs after a change, the number that lines come ahead of takes part.
  await project.owner
    .query(`create function quiet() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger quiet after insert or update or delete on docs for each row execute function quiet()`);
  await project.owner.query(overloads);
  await project.owner.query('truncate calls');
  for (const path of ['public, pg_catalog', 'pg_catalog', 'public']) {
    const lines =
      await project.run(`set search_path = ${path}; insert into public.docs values (7, 'a');
      update public.docs set body = 'b'; delete from public.docs; select realtime.send('1', 'e', 't'); reset search_path`);
    expect(lines.map(({ kind }) => kind)).toEqual(['I', 'U', 'D', 'B']);
  }
  await project.owner.query('drop trigger quiet on docs');
  const { rows } = await project.owner.query(`select what from calls`);
  expect(rows).toEqual([]);
}, 60_000);

test('the settings of a transaction are left as they were', async () => {
  await project.owner.query(`begin; set timezone = 'Asia/Tokyo'; set local datestyle = 'SQL, DMY'`);
  await project.owner.query(`insert into docs values (8, 'a')`);
  const show = `select current_setting('timezone') as zone, current_setting('datestyle') as style`;
  const inside = await project.owner.query(show);
  await project.owner.query('commit');
  const after = await project.owner.query(show);
  await project.owner.query('reset all');
  expect(inside.rows).toEqual([{ zone: 'Asia/Tokyo', style: 'SQL, DMY' }]);
  expect(after.rows).toEqual([{ zone: 'Asia/Tokyo', style: 'ISO, MDY' }]);
});

test.skipIf(majorOf('pg_dump') < (await serverMajor()))(
  'a dump of public that is restored elsewhere is captured once, and what was off is off',
  async () => {
    expect(await restored()).toEqual([inserted({ id: 50, body: 'x' })]);
  },
);

test('a definition that a dump contains is made right under its name', async () => {
  const other = await CaptureFixture.open();
  try {
    // As pg_dump writes a table, with the trigger of a table of another number.
    const lines = await other.run(`create table docs (id int);
      insert into docs values (1);
      create trigger realtime_insert_0123456789ab after insert on docs
        referencing new table as realtime_new for each statement execute function realtime.capture_insert('4');
      insert into docs values (2);`);
    expect(lines).toEqual([inserted({ id: 1 }), inserted({ id: 2 })]);
    const { rows } = await other.owner.query(
      `select tgname as name from pg_trigger where tgfoid = 'realtime.capture_insert'::regproc`,
    );
    expect(rows).toEqual([{ name: 'realtime_insert_0123456789ab' }]);
    expect(
      await other.run(`alter table docs disable trigger realtime_insert_0123456789ab;
        alter table docs add column x int; insert into docs values (3)`),
    ).toEqual([]);
  } finally {
    await other.close();
  }
});

/** Restores a dump in another project, writes to both tables there, and returns the lines. */
async function restored(): Promise<readonly unknown[]> {
  await project.owner.query(`create table off (id int); select realtime.disable('off')`);
  const other = await CaptureFixture.open();
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-dump-'));
  try {
    const env = (names: { owner: string; database: string }) => {
      const { hostname, port } = new URL(process.env['TEST_DATABASE_URL'] ?? '');
      return {
        ...process.env,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: names.owner,
        PGPASSWORD: project.copy.password,
        PGDATABASE: names.database,
      };
    };
    const run = promisify(execFile);
    const file = join(folder, 'public.sql');
    await run('pg_dump', ['-Ox', '-n', 'public', '-t', 'docs', '-t', 'off', '-f', file], {
      env: env(project.copy.names),
    });
    await run('psql', ['-v', 'ON_ERROR_STOP=1', '-q', '-f', file], { env: env(other.copy.names) });
    return await other.run(`insert into docs values (50, 'x'); insert into off values (1)`);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await other.close();
  }
}
