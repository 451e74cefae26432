// The order of the lines of a transaction in which triggers of the project write: a client that applies them in this order
// ends with the rows of the tables.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { CaptureFixture } from './capture-fixture.js';
import { emptyTables, finish, runInOrder, trigger } from './order-fixture.js';

let project: CaptureFixture;
beforeAll(async () => {
  project = await CaptureFixture.open();
}, 60_000);
afterAll(() => project.close());
beforeEach(() => project.owner.query(emptyTables));

const count = trigger(
  'after insert or update or delete on TABLE for each row',
  `update totals set n = n + 1 where id = 1; return null;`,
  { name: 'counted' },
);

const partitioned = `drop table docs;
  create table docs (id int primary key, body text) partition by range (id);
  create table docs_low partition of docs for values from (0) to (10);
  create table docs_high partition of docs for values from (10) to (20);`;

test.each([
  {
    name: 'an update by a trigger after the row',
    make: finish,
    script: `insert into docs values (1, 'raw')`,
    lines: ['I docs 1 raw', 'U docs 1 raw -> 1 final'],
  },
  {
    name: 'all rows of a statement',
    make: finish,
    script: `insert into docs values (1, 'a'), (2, 'b')`,
    lines: ['I docs 1 a', 'I docs 2 b', 'U docs 1 a -> 1 final', 'U docs 2 b -> 2 final'],
  },
  {
    name: 'several statements of a transaction',
    make: finish,
    script: `begin; insert into docs values (1, 'a'); update docs set body = 'x'; insert into docs values (2, 'b'); commit`,
    lines: [
      'I docs 1 a',
      'U docs 1 a -> 1 final',
      'U docs 1 final -> 1 x',
      'I docs 2 b',
      'U docs 2 b -> 2 final',
    ],
  },
  {
    name: 'a delete by a trigger after the row',
    make: trigger(
      'after insert on TABLE for each row',
      `delete from docs where id = new.id; return null;`,
    ),
    script: `insert into docs values (1, 'raw')`,
    lines: ['I docs 1 raw', 'D docs 1 raw'],
  },
  {
    name: 'an insert by a trigger after a delete',
    make: trigger(
      'after delete on TABLE for each row',
      `insert into docs values (old.id, 'again'); return null;`,
    ),
    script: `insert into docs values (1, 'a'); delete from docs`,
    lines: ['I docs 1 a', 'D docs 1 a', 'I docs 1 again'],
  },
  {
    name: 'a trigger of a statement, whatever its name is',
    make: trigger(
      'after insert on TABLE for each statement',
      `update docs set body = 'final'; return null;`,
      { name: 'a' },
    ),
    script: `insert into docs values (1, 'raw')`,
    lines: ['I docs 1 raw', 'U docs 1 raw -> 1 final'],
  },
  {
    name: 'a trigger with transition tables',
    make: trigger(
      'after insert on TABLE referencing new table as added for each statement',
      `update docs set body = 'final' where id in (select id from added); return null;`,
      { name: 'a' },
    ),
    script: `insert into docs values (1, 'raw')`,
    lines: ['I docs 1 raw', 'U docs 1 raw -> 1 final'],
  },
  {
    name: 'a trigger before the row, whose changes come first',
    make: trigger(
      'before insert on TABLE for each row',
      `delete from docs where id = new.id; return new;`,
    ),
    script: `insert into docs values (1, 'a'); insert into docs values (1, 'b')`,
    lines: ['I docs 1 a', 'D docs 1 a', 'I docs 1 b'],
  },
  {
    name: 'triggers before and after the row',
    make:
      trigger(
        'before insert on TABLE for each row',
        `delete from docs where id = new.id; return new;`,
      ) +
      trigger(
        'after insert on TABLE for each row',
        `update docs set body = 'final' where id = new.id; return null;`,
        { name: 'later' },
      ),
    script: `insert into docs values (1, 'a'); insert into docs values (1, 'b')`,
    lines: [
      'I docs 1 a',
      'U docs 1 a -> 1 final',
      'D docs 1 final',
      'I docs 1 b',
      'U docs 1 b -> 1 final',
    ],
  },
  {
    name: 'triggers of triggers',
    make: trigger(
      'after insert or update on TABLE for each row',
      `update docs set body = body || '+' where id = new.id and length(body) < 3; return null;`,
    ),
    script: `insert into docs values (1, 'a')`,
    lines: ['I docs 1 a', 'U docs 1 a -> 1 a+', 'U docs 1 a+ -> 1 a++'],
  },
  {
    name: 'a trigger that writes another table, which writes back',
    make:
      trigger(
        'after insert on TABLE for each row',
        `insert into totals values (new.id, 1); return null;`,
      ) +
      trigger(
        'after insert on TABLE for each row',
        `update docs set body = 'counted' where id = new.id; return null;`,
        { table: 'totals', name: 'back' },
      ),
    script: `insert into docs values (1, 'raw')`,
    lines: ['I docs 1 raw', 'I totals 1 1', 'U docs 1 raw -> 1 counted'],
  },
  {
    name: 'on conflict do update, rows that are added',
    make: finish,
    script: `insert into docs values (1, 'raw') on conflict (id) do update set body = excluded.body`,
    lines: ['I docs 1 raw', 'U docs 1 raw -> 1 final'],
  },
  {
    name: 'on conflict do update, rows of both kinds',
    make: trigger(
      'after insert or update on TABLE for each row',
      `if new.body = 'raw' then update docs set body = 'final' where body = 'raw'; end if; return null;`,
    ),
    script: `insert into docs values (1, 'x'); insert into docs values (1, 'raw'), (2, 'raw')
      on conflict (id) do update set body = excluded.body`,
    lines: [
      'I docs 1 x',
      'U docs 1 x -> 1 raw',
      'I docs 2 raw',
      'U docs 1 raw -> 1 final',
      'U docs 2 raw -> 2 final',
    ],
  },
  {
    name: 'merge',
    make: trigger(
      'after insert or update on TABLE for each row',
      `if new.body = 'raw' then update docs set body = 'final' where body = 'raw'; end if; return null;`,
    ),
    script: `insert into docs values (1, 'x'), (3, 'y');
      merge into docs using (values (1, 'raw'), (2, 'raw'), (3, null)) given (id, body) on docs.id = given.id
      when matched and given.body is null then delete
      when matched then update set body = given.body
      when not matched then insert values (given.id, given.body)`,
    lines: [
      'I docs 1 x',
      'I docs 3 y',
      'D docs 3 y',
      'U docs 1 x -> 1 raw',
      'I docs 2 raw',
      'U docs 1 raw -> 1 final',
      'U docs 2 raw -> 2 final',
    ],
  },
  {
    name: 'a statement that writes two tables, one of which has triggers',
    make: count,
    script: `with made as (insert into totals values (1, 0) returning id) insert into docs select id, 'a' from made`,
    lines: ['I totals 1 0', 'I docs 1 a', 'U totals 1 0 -> 1 1'],
  },
  {
    name: 'a table without triggers after one with triggers',
    make: count,
    script: `begin; insert into totals values (1, 0); insert into docs values (1, 'a'); update totals set n = 10; commit`,
    lines: ['I totals 1 0', 'I docs 1 a', 'U totals 1 0 -> 1 1', 'U totals 1 1 -> 1 10'],
  },
  {
    name: 'a statement without rows between others',
    make: finish,
    script: `begin; insert into docs values (1, 'a'); insert into docs select 2, 'b' where false;
      update docs set body = 'b'; commit`,
    lines: ['I docs 1 a', 'U docs 1 a -> 1 final', 'U docs 1 final -> 1 b'],
  },
  {
    name: 'a function that writes in the statement',
    make: `${finish} create function make(id int) returns int language sql as $$ insert into docs values (id, 'raw') returning id $$;`,
    script: `insert into docs select make(1) + 1, 'outer'`,
    lines: [
      'I docs 1 raw',
      'U docs 1 raw -> 1 final',
      'I docs 2 outer',
      'U docs 2 outer -> 2 final',
    ],
  },
  {
    name: 'a trigger that raises an error, which is caught',
    make: trigger(
      'after insert on TABLE for each row',
      `if new.id = 1 then update docs set body = 'lost'; raise 'no'; end if;
       update docs set body = 'final' where id = new.id; return null;`,
    ),
    script: `begin; do $$ begin insert into docs values (1, 'a'); exception when others then null; end $$;
      insert into totals values (1, 1); insert into docs values (2, 'b'); update totals set n = 2; commit`,
    lines: ['I totals 1 1', 'I docs 2 b', 'U docs 2 b -> 2 final', 'U totals 1 1 -> 1 2'],
  },
  {
    name: 'an error that a trigger catches itself',
    make: trigger(
      'after insert on TABLE for each row',
      `begin update docs set body = 'lost'; raise 'no'; exception when others then null; end;
       update docs set body = 'final' where id = new.id; return null;`,
    ),
    script: `insert into docs values (1, 'a')`,
    lines: ['I docs 1 a', 'U docs 1 a -> 1 final'],
  },
  {
    name: 'a savepoint that is rolled back',
    make: finish,
    script: `begin; savepoint s; insert into docs values (1, 'a'); rollback to s;
      insert into totals values (1, 1); insert into docs values (1, 'b'); commit`,
    lines: ['I totals 1 1', 'I docs 1 b', 'U docs 1 b -> 1 final'],
  },
  {
    name: 'a trigger that is deferred',
    make: `create function mine() returns trigger language plpgsql as $f$ begin
        update docs set body = 'final' where id = new.id; return null; end $f$;
      create constraint trigger mine after insert on docs deferrable initially deferred
        for each row execute function mine();`,
    script: `begin; insert into docs values (1, 'a'); update docs set body = 'b'; commit`,
    lines: ['I docs 1 a', 'U docs 1 a -> 1 b', 'U docs 1 b -> 1 final'],
  },
  {
    name: 'a foreign key to the same row',
    make: `alter table docs add column above int references docs on update cascade;`,
    script: `insert into docs values (1, 'a', 1); update docs set id = 2`,
    lines: ['I docs 1 a 1', 'U docs 1 a 1 -> 2 a 1', 'U docs 2 a 1 -> 2 a 2'],
  },
  {
    name: 'foreign keys to other rows, one after the other',
    make: `alter table docs add column above int unique references docs on update cascade,
      add column beside int references docs (above) on update cascade;
      insert into docs values (1, 'a', 1, null), (2, 'b', null, 1)`,
    script: 'update docs set id = id + 10',
    lines: [
      'U docs 1 a 1  -> 11 a 1 ',
      'U docs 2 b  1 -> 12 b  1',
      'U docs 11 a 1  -> 11 a 11 ',
      'U docs 12 b  1 -> 12 b  11',
    ],
  },
  {
    name: 'a foreign key to the same table that sets null',
    make: `alter table docs add column above int references docs on update set null;`,
    script: `insert into docs values (1, 'a', 1), (2, 'b', 1); update docs set id = 3 where id = 1`,
    lines: [
      'I docs 1 a 1',
      'I docs 2 b 1',
      'U docs 1 a 1 -> 3 a 1',
      'U docs 2 b 1 -> 2 b ',
      'U docs 3 a 1 -> 3 a ',
    ],
  },
  {
    name: 'a foreign key to the same table that sets a default',
    make: `alter table docs add column above int default 9 references docs on update set default;`,
    script: `insert into docs values (9, 'z', 9), (1, 'a', 1); update docs set id = 3 where id = 1`,
    lines: ['I docs 9 z 9', 'I docs 1 a 1', 'U docs 1 a 1 -> 3 a 1', 'U docs 3 a 1 -> 3 a 9'],
  },
  {
    name: 'a foreign key that comes back over another table',
    make: `alter table totals add unique (n), add foreign key (n) references docs on update cascade;
      alter table docs add column above int references totals (n) on update cascade;
      insert into docs values (1, 'a', null); insert into totals values (5, 1); update docs set above = 1`,
    script: 'update docs set id = 2',
    lines: ['U docs 1 a 1 -> 2 a 1', 'U totals 5 1 -> 5 2', 'U docs 2 a 1 -> 2 a 2'],
  },
  {
    name: 'rows that are cut',
    make: finish,
    script: `insert into docs values (1, repeat('x', 2000000)); delete from docs`,
    lines: ['I docs 1', 'U docs 1 -> 1', 'D docs 1 final'],
  },
  {
    name: 'a partitioned table',
    make: partitioned + finish,
    script: `insert into docs values (1, 'a'), (11, 'b'); update docs set body = 'c', id = 12 where id = 1`,
    lines: [
      'I docs 1 a',
      'I docs 11 b',
      'U docs 1 a -> 1 final',
      'U docs 11 b -> 11 final',
      'U docs 1 final -> 12 c',
      'U docs 12 c -> 12 final',
    ],
  },
  {
    name: 'on conflict do update, into a partitioned table',
    make: partitioned + finish,
    script: `insert into docs values (1, 'raw') on conflict (id) do update set body = excluded.body`,
    lines: ['I docs 1 raw', 'U docs 1 raw -> 1 final'],
  },
  {
    name: 'a trigger of one partition',
    make: partitioned + finish.replace('insert on docs', 'insert on docs_low'),
    script: `begin; insert into docs values (1, 'a'); insert into docs values (11, 'b'); update docs set body = 'c'; commit`,
    lines: [
      'I docs 1 a',
      'U docs 1 a -> 1 final',
      'I docs 11 b',
      'U docs 1 final -> 1 c',
      'U docs 11 b -> 11 c',
    ],
  },
  {
    name: 'a partition that is attached with its trigger',
    make:
      partitioned +
      `create table docs_more (id int primary key, body text);` +
      finish.replace('insert on docs', 'insert on docs_more') +
      `alter table docs attach partition docs_more for values from (20) to (30);`,
    script: `insert into docs values (1, 'a'), (21, 'b')`,
    lines: ['I docs 1 a', 'I docs 21 b', 'U docs 21 b -> 21 final'],
  },
])('$name', async ({ make, script, lines }) => {
  await project.owner.query(make);
  expect(await runInOrder(project, script)).toEqual(lines);
});
