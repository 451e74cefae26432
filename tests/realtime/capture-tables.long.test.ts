// Which tables are captured, and that they stay right while they change: partitions, renamed and moved tables, tables that
// are switched off.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CaptureFixture, deleted, inserted, updated } from './capture-fixture.js';

let project: CaptureFixture;
beforeAll(async () => {
  project = await CaptureFixture.open();
}, 60_000);
afterAll(() => project.close());
beforeEach(async () => {
  await project.owner.query(`
    drop schema public cascade; drop schema if exists app cascade;
    create schema public; create schema app;`);
});

const insertDoc = `insert into docs values (1)`;
const doc = inserted({ id: 1 });

describe('captured are', () => {
  test.each([
    { name: 'new tables', make: 'create table docs (id int)' },
    { name: 'tables made from a query', make: 'create table docs as select 1 as id where false' },
    { name: 'tables made by select into', make: 'select 1 as id into docs where false' },
    { name: 'unlogged tables', make: 'create unlogged table docs (id int)' },
    {
      name: 'tables that move into public',
      make: 'create table app.docs (id int); alter table app.docs set schema public',
    },
    {
      name: 'renamed tables',
      make: 'create table papers (id int); alter table papers rename to docs',
    },
    {
      name: 'tables of a schema that is renamed to public',
      make: 'drop schema public; create table app.docs (id int); alter schema app rename to public',
    },
    {
      name: 'tables that are made with the schema',
      make: 'drop schema public; create schema public create table docs (id int)',
    },
    {
      name: 'tables that are made in a block',
      make: `do $$ begin execute 'create table docs (id int)'; end $$`,
    },
  ])('$name', async ({ make }) => {
    await project.owner.query(make);
    expect(await project.run(insertDoc)).toEqual([doc]);
  });

  test('renamed, added, changed and dropped columns', async () => {
    await project.owner.query(`create table docs (id int, body text, size int)`);
    await project.run(`insert into docs values (1, 'a', 2)`);
    const lines = await project.run(`
      alter table docs rename body to text; alter table docs drop column size;
      alter table docs add column tags text[] default '{x}'; alter table docs alter id type numeric;
      update docs set text = 'b';`);
    expect(lines).toEqual([
      updated({ id: 1, text: 'a', tags: ['x'] }, { id: 1, text: 'b', tags: ['x'] }),
    ]);
  });
});

describe('not captured are', () => {
  test.each([
    {
      name: 'temporary tables',
      make: 'create temporary table docs (id int)',
      after: 'drop table docs',
    },
    {
      name: 'tables of other schemas',
      make: `create table app.docs (id int); set search_path = app`,
      after: 'reset search_path',
    },
    {
      name: 'tables that leave public',
      make: `create table docs (id int); alter table docs set schema app; set search_path = app`,
      after: 'reset search_path',
    },
    {
      name: 'views',
      make: `create table app.kept (id int); create view docs as select * from app.kept`,
      after: 'drop view docs',
    },
  ])('$name', async ({ make, after }) => {
    await project.owner.query(make);
    try {
      expect(await project.run(insertDoc)).toEqual([]);
    } finally {
      await project.owner.query(after);
    }
  });

  test('tables that are dropped leave nothing behind', async () => {
    await project.run('create table docs (id int); drop table docs');
    const { rows } = await project.owner.query(
      `select from pg_trigger where tgname like 'realtime_insert%'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('partitions', () => {
  const parts = `
    create table docs (id int, place text) partition by list (place);
    create table docs_a partition of docs for values in ('a');
    create table app.docs_b partition of docs for values in ('b');
    create table docs_c partition of docs for values in ('c1', 'c2') partition by list (place);
    create table docs_c1 partition of docs_c for values in ('c1');
    create table docs_c2 (place text, extra int, id int);
    alter table docs_c2 drop column extra;
    alter table docs_c attach partition docs_c2 for values in ('c2');`;
  const row = (place: string) => ({ id: 1, place });
  beforeEach(() => project.owner.query(parts));

  test('a write through the root is a line of the root', async () => {
    const lines = await project.run(
      `insert into docs values (1, 'a'), (1, 'b'), (1, 'c1'), (1, 'c2')`,
    );
    expect(lines).toEqual(['a', 'b', 'c1', 'c2'].map((place) => inserted(row(place))));
  });

  test.each(['docs_a', 'app.docs_b', 'docs_c', 'docs_c1', 'docs_c2'])(
    'a write to %s is a line of the root, too',
    async (part) => {
      const place = part.split('_')[1]?.replace(/^c$/, 'c1') ?? '';
      expect(
        await project.run(
          `insert into ${part} (id, place) values (1, '${place}'); delete from ${part}`,
        ),
      ).toEqual([inserted(row(place)), deleted(row(place))]);
    },
  );

  test('a row that moves between partitions is one update', async () => {
    await project.owner.query(`insert into docs values (1, 'a')`);
    expect(await project.run(`update docs set place = 'c2'`)).toEqual([
      updated(row('a'), row('c2')),
    ]);
  });

  test.each(['', ' concurrently'])(
    'a table that is detached%s has lines of its own',
    async (how) => {
      await project.owner.query(`alter table docs detach partition docs_a${how}`);
      await project.owner.query(`alter table docs detach partition app.docs_b`);
      expect(
        await project.run(
          `insert into docs_a values (1, 'a'); insert into app.docs_b values (1, 'b')`,
        ),
      ).toEqual([inserted(row('a'), 'public.docs_a')]);
    },
  );

  test('the gate of a partition is the one of its root', async () => {
    await project.owner.query(`create table app.late (id int, place text);
      alter table docs attach partition app.late for values in ('late');`);
    const { rows } = await project.owner.query<{ bits: string[] }>(`
      select array_agg(distinct split_part(encode(tgargs, 'escape'), '\\', 1)) as bits
      from pg_trigger where tgname like 'realtime\\_insert\\_%'`);
    const root = await project.owner.query<{ bit: string }>(
      `select 1::int8 << rowhouse_gate_bit('docs'::regclass) as bit`,
    );
    expect(rows[0]?.bits).toEqual([String(root.rows[0]?.bit)]);
  });
});

describe('a table that is switched off', () => {
  beforeEach(() => project.owner.query('create table docs (id int)'));

  test('writes no line until it is switched on again', async () => {
    expect(await project.run(`select realtime.disable('docs'); ${insertDoc}`)).toEqual([]);
    expect(await project.run(`select realtime.enable('docs'); ${insertDoc}`)).toEqual([doc]);
  });

  test('stays off while it changes', async () => {
    const lines = await project.run(`select realtime.disable('docs'); create type mood as (v int);
      alter table docs add column mood mood; alter table docs rename id to number; insert into docs values (1);
      create function f(mood) returns json language sql as 'select null::json';
      create cast (mood as json) with function f(mood); insert into docs values (1)`);
    expect(lines).toEqual([]);
  });

  test('keeps no rows of a statement, however many it writes', async () => {
    const session = await project.connect('superuser');
    await session.query(
      `set search_path = public; set work_mem = '64kB'; set temp_file_limit = '2MB'`,
    );
    await project.owner.query('alter table docs add column body text');
    const write = `insert into docs select i, repeat('x', 1000) from generate_series(1, 20000) i`;
    await expect(session.query(write)).rejects.toMatchObject({ code: '53400' });
    await project.owner.query(`select realtime.disable('docs')`);
    await session.query(write);
    await project.owner.query(`select realtime.enable('docs')`);
    await expect(session.query(write)).rejects.toMatchObject({ code: '53400' });
  });

  test('is switched off once, however often that is said', async () => {
    await project.owner.query(`select realtime.disable('docs'), realtime.disable('docs')`);
    expect(await project.run(`select realtime.enable('docs'); ${insertDoc}`)).toEqual([doc]);
    expect(await project.run(`truncate docs; ${insertDoc}`)).toEqual([doc]);
  });

  test('is switched with its partitions, and new partitions follow', async () => {
    await project.owner.query(`drop table docs; create table docs (id int) partition by list (id);
      create table docs_1 partition of docs for values in (1);
      select realtime.disable('docs');
      create table docs_2 partition of docs for values in (2);`);
    const write = `insert into docs_1 values (1); insert into docs values (1); insert into docs_2 values (2)`;
    expect(await project.run(write)).toEqual([]);
    expect(await project.run(`select realtime.enable('docs'); ${write}`)).toHaveLength(3);
  });

  test.each([
    {
      name: 'a partition',
      sql: `create table d (id int) partition by list (id);
      create table d1 partition of d for values in (1); select realtime.disable('d1')`,
      message: 'd1 is a partition of public.d',
    },
    {
      name: 'a view',
      sql: `create view v as select 1; select realtime.disable('v')`,
      message: 'v is no table of the schema public',
    },
    {
      name: 'a table of another schema',
      sql: `create table app.t (id int); select realtime.disable('app.t')`,
      message: 'app.t is no table of the schema public',
    },
  ])('$name cannot be switched', async ({ sql, message }) => {
    await expect(project.owner.query(sql)).rejects.toMatchObject({
      code: '42809',
      message: expect.stringContaining(message),
    });
  });

  test('a dropped or renamed trigger is no way to a wrong one', async () => {
    const { rows } = await project.owner.query<{ name: string }>(
      `select tgname as name from pg_trigger where tgrelid = 'docs'::regclass and tgname like 'realtime_insert%'`,
    );
    const [{ name }] = rows as [{ name: string }];
    await project.owner.query(`alter trigger ${name} on docs rename to mine`);
    expect(await project.run(insertDoc)).toEqual([doc]);
    await project.owner.query(`drop trigger mine on docs`);
    expect(await project.run(insertDoc)).toEqual([]);
    // The next change of the table brings it back; the lasting switch is realtime.disable.
    expect(
      await project.run(`alter table docs add column x int; insert into docs (id) values (1)`),
    ).toEqual([inserted({ id: 1, x: null })]);
    expect(await project.run(`drop trigger if exists none on docs; ${insertDoc}`)).toHaveLength(1);
  });
});
