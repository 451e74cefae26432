// Which tables have the trigger that takes the number their lines come ahead of, and that it never disturbs a write.
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { watchTables } from '../../libs/control-plane/src/provisioning/watch-tables.js';
import { CaptureFixture } from './capture-fixture.js';
import { emptyTables, finish, trigger } from './order-fixture.js';

let project: CaptureFixture;
let superuser: Client;
beforeAll(async () => {
  project = await CaptureFixture.open();
  superuser = await project.connect('superuser');
  await superuser.query('set search_path = pg_catalog, pg_temp');
}, 60_000);
afterAll(() => project.close());
beforeEach(() => project.owner.query(emptyTables));

const firstTriggers = async (): Promise<readonly unknown[]> => {
  const { rows } = await project.owner.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger
     where tgfoid = 'realtime.capture_first'::regproc and tgparentid = 0 order by 1`,
  );
  return rows.map(({ name }) => name);
};

test('only tables with triggers that run after a change have the trigger that takes a number', async () => {
  await project.owner.query(
    trigger('before insert or update on TABLE for each row', 'return new;', { name: 'early' }) +
      trigger('after truncate on TABLE for each statement', 'return null;', { name: 'empty' }),
  );
  expect(await firstTriggers()).toEqual([]);
  await project.owner.query(finish);
  expect(await firstTriggers()).toEqual(['docs']);
  await project.owner.query(
    'alter table docs add column more int; alter table docs rename body to text',
  );
  expect(await firstTriggers()).toEqual(['docs']);
  await project.owner.query(`select realtime.disable('docs')`);
  expect(await firstTriggers()).toEqual([]);
  await project.owner.query(`select realtime.enable('docs')`);
  expect(await firstTriggers()).toEqual(['docs']);
});

test('the trigger goes with the last of those that need it', async () => {
  const { owner } = project;
  const second = trigger('after update on TABLE for each statement', 'return null;', {
    name: 'too',
  });
  await owner.query(finish + second);
  await owner.query('drop trigger mine on docs');
  expect(await firstTriggers()).toEqual(['docs']);
  // A rollback brings it back with the other.
  await owner.query('begin; drop function too() cascade; rollback');
  expect(await firstTriggers()).toEqual(['docs']);
  await owner.query('drop function too() cascade');
  expect(await firstTriggers()).toEqual([]);
  await owner.query(finish);
  expect(await firstTriggers()).toEqual(['docs']);
});

test('it goes with the last of a partition, too', async () => {
  const { owner } = project;
  await owner.query(`drop table docs;
    create table docs (id int primary key, body text) partition by range (id);
    create table docs_low partition of docs for values from (0) to (10);`);
  await owner.query(finish.replace('insert on docs', 'insert on docs_low'));
  expect(await firstTriggers()).toEqual(['docs']);
  await owner.query('drop trigger mine on docs_low');
  expect(await firstTriggers()).toEqual([]);
});

test('foreign keys that change rows of the same table need none', async () => {
  await project.owner.query(
    `alter table docs add column above int references docs on update cascade on delete set null`,
  );
  expect(await firstTriggers()).toEqual([]);
});

test('a dump may bring it before the others, switched off', async () => {
  const { owner } = project;
  await owner.query(`create trigger "!realtime_first_old" after insert or update or delete on docs
    for each row execute function realtime.capture_first('1');
    alter table docs disable trigger "!realtime_first_old"`);
  await owner.query(finish);
  const { rows } = await owner.query(
    `select tgname, tgenabled from pg_trigger where tgfoid = 'realtime.capture_first'::regproc`,
  );
  expect(rows).toEqual([{ tgname: '!realtime_first_old', tgenabled: 'D' }]);
});

test('no number is taken by a replica, nor while the gate is closed', async () => {
  await project.owner.query(finish);
  const valueOf = async (sequence: string): Promise<string | undefined> => {
    const { rows } = await superuser.query<{ value: string }>(
      `select last_value as value from realtime.${sequence}`,
    );
    return rows[0]?.value;
  };
  const before = await valueOf('outbox_seq_seq');
  await superuser.query(`set session_replication_role = replica;
    insert into public.docs values (1, 'a'); reset session_replication_role`);
  expect(await valueOf('outbox_seq_seq')).toBe(before);
  const gate = await valueOf('gate');
  await superuser.query(`select setval('realtime.gate', 0)`);
  try {
    await project.owner.query(`insert into docs values (2, 'b')`);
    expect(await valueOf('outbox_seq_seq')).toBe(before);
  } finally {
    await superuser.query(`select setval('realtime.gate', $1)`, [gate]);
  }
});

test('settings that a session writes itself never make a write fail', async () => {
  await project.owner.query(finish);
  for (const value of [
    'x',
    '9 c',
    '0 o o 9999999999999999999 c 1 ',
    '9999999999999999999999 o 1 ',
    ' o ',
  ]) {
    await project.owner.query('begin');
    for (const depth of [1, 2]) {
      await project.owner.query(`select set_config('realtime.first_${depth}', $1, true)`, [value]);
    }
    await project.owner.query(`insert into docs values (1, 'a'); delete from docs; commit`);
  }
});

test('a table whose triggers are older than the step gets its own by the upgrade', async () => {
  await project.owner.query(finish);
  await superuser.query(`do $$
    declare name text := (select tgname from pg_trigger where tgfoid = 'realtime.capture_first'::regproc);
    begin execute format('drop trigger %I on public.docs', name); end $$`);
  expect(await firstTriggers()).toEqual([]);
  await watchTables(superuser);
  expect(await firstTriggers()).toEqual(['docs']);
});
