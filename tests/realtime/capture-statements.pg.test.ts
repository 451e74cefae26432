// Which lines a statement writes to the outbox: one for each row that it has changed, in the transaction of the writer.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CaptureFixture, deleted, inserted, type Line, updated } from './capture-fixture.js';

let project: CaptureFixture;
beforeAll(async () => {
  project = await CaptureFixture.open(`
    create table docs (id int primary key, body text);
    create table notes (doc int references docs on update cascade on delete cascade, text text);
    create table odd (realtime_new int, realtime_old int, value int, place int, number int, kept int, written int,
      size int, tg_nargs int, tg_relid int, "after" int, "before" int, seq int, kind int, tbl int, n int, o int, setting int,
      ahead int, known int);`);
}, 60_000);
afterAll(() => project.close());
beforeEach(() =>
  project.owner.query(`truncate docs cascade; insert into docs values (1, 'one'), (2, 'two')`),
);

const one = { id: 1, body: 'one' };
const two = { id: 2, body: 'two' };

interface Case {
  readonly name: string;
  readonly script: string;
  readonly lines: readonly Line[];
}

const statements: readonly Case[] = [
  {
    name: 'an insert of two rows',
    script: `insert into docs values (3, 'three'), (4, null)`,
    lines: [inserted({ id: 3, body: 'three' }), inserted({ id: 4, body: null })],
  },
  {
    name: 'an update has each row before and after',
    script: `update docs set body = upper(body)`,
    lines: [updated(one, { id: 1, body: 'ONE' }), updated(two, { id: 2, body: 'TWO' })],
  },
  {
    name: 'an update of keys that trade places',
    script: `alter table docs drop constraint docs_pkey cascade; update docs set id = 3 - id;
      alter table docs add primary key (id);
      alter table notes add foreign key (doc) references docs on update cascade on delete cascade`,
    lines: [updated(one, { id: 2, body: 'one' }), updated(two, { id: 1, body: 'two' })],
  },
  { name: 'a delete', script: `delete from docs where id = 2`, lines: [deleted(two)] },
  { name: 'a statement without rows', script: `delete from docs where id = 9`, lines: [] },
  {
    name: 'on conflict do nothing',
    script: `insert into docs values (1, 'x'), (5, 'five') on conflict do nothing`,
    lines: [inserted({ id: 5, body: 'five' })],
  },
  {
    name: 'on conflict do update',
    script: `insert into docs values (1, 'x'), (5, 'five') on conflict (id) do update set body = excluded.body`,
    lines: [inserted({ id: 5, body: 'five' }), updated(one, { id: 1, body: 'x' })],
  },
  {
    name: 'merge',
    script: `merge into docs using (values (1, 'x'), (2, null), (6, 'six')) given (id, body) on docs.id = given.id
      when matched and given.body is null then delete
      when matched then update set body = given.body
      when not matched then insert values (given.id, given.body)`,
    lines: [deleted(two), updated(one, { id: 1, body: 'x' }), inserted({ id: 6, body: 'six' })],
  },
  {
    name: 'a statement that writes two tables',
    script: `with gone as (delete from docs where id = 2 returning id) insert into notes select null, id::text from gone`,
    lines: [deleted(two), inserted({ doc: null, text: '2' }, 'public.notes')],
  },
  {
    name: 'what a foreign key does to other tables',
    script: `insert into notes values (1, 'a'); update docs set id = 7 where id = 1; delete from docs where id = 7`,
    lines: [
      inserted({ doc: 1, text: 'a' }, 'public.notes'),
      updated({ doc: 1, text: 'a' }, { doc: 7, text: 'a' }, 'public.notes'),
      updated(one, { id: 7, body: 'one' }),
      deleted({ doc: 7, text: 'a' }, 'public.notes'),
      deleted({ id: 7, body: 'one' }),
    ],
  },
  {
    name: 'a table without a key, and with columns that are called as the functions call theirs',
    script: `insert into odd values (1); update odd set value = 2; delete from odd`,
    lines: [
      inserted(odd({ realtime_new: 1 }), 'public.odd'),
      updated(odd({ realtime_new: 1 }), odd({ realtime_new: 1, value: 2 }), 'public.odd'),
      deleted(odd({ realtime_new: 1, value: 2 }), 'public.odd'),
    ],
  },
  { name: 'truncate', script: `truncate docs cascade`, lines: [] },
  {
    name: 'a transaction that is rolled back',
    script: `begin; insert into docs values (8, 'eight'); rollback`,
    lines: [],
  },
  {
    name: 'a savepoint that is rolled back',
    script: `begin; insert into docs values (8, 'a'); savepoint s; insert into docs values (9, 'b');
      rollback to s; insert into docs values (10, 'c'); commit`,
    lines: [inserted({ id: 8, body: 'a' }), inserted({ id: 10, body: 'c' })],
  },
  {
    name: 'a repeatable read transaction',
    script: `begin isolation level serializable; insert into docs values (8, 'a'); commit`,
    lines: [inserted({ id: 8, body: 'a' })],
  },
];

function odd(values: Readonly<Record<string, number>>): Record<string, number | null> {
  const names = `realtime_new realtime_old value place number kept written size tg_nargs tg_relid after before
    seq kind tbl n o setting ahead known`;
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, values[name] ?? null]));
}

// The kinds of one statement have no order among each other.
const sorted = (lines: readonly Line[]) =>
  lines.map((line) => JSON.stringify(line)).toSorted((a, b) => a.localeCompare(b));

test.each(statements)('$name', async ({ script, lines }) => {
  expect(sorted(await project.run(script))).toEqual(sorted(lines));
});

describe('a line of the outbox', () => {
  test('has the number of its transaction, also within a savepoint', async () => {
    await project.lines();
    const writer = await project.connect();
    await writer.query('begin');
    await writer.query('savepoint s');
    await writer.query(`insert into docs values (20, 'x')`);
    const { rows } = await writer.query<{ id: string }>('select pg_current_xact_id()::text as id');
    await writer.query('commit');
    const found = await project.engine.query(
      'select txid::text from realtime.outbox order by seq desc limit 1',
    );
    expect(found.rows).toEqual([{ txid: rows[0]?.id }]);
  });

  test('tells the length of its rows', async () => {
    await project.run(`insert into docs values (21, repeat('x', 5000))`);
    const { rows } = await project.engine.query<{ bytes: number; length: number }>(
      'select bytes, octet_length(n::text) as length from realtime.outbox order by seq desc limit 1',
    );
    expect(rows[0]?.length).toBeGreaterThan(5000);
    expect(rows[0]?.bytes).toBe((rows[0]?.length ?? 0) + 4);
  });
});

test('the replication role of a session writes no line', async () => {
  const superuser = await project.connect('superuser');
  await project.lines();
  await superuser.query(
    `set session_replication_role = replica; insert into docs values (30, 'restored')`,
  );
  expect(await project.lines()).toEqual([]);
});
