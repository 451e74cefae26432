// Policies that write, raise, sleep, change settings and roles, and names that mislead: the answer for one caller never
// depends on the evaluation for another.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseChangeFilter } from '../../libs/realtime-core/src/change-filter.js';
import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { audience, openStage, type Stage } from './support.js';

let project: ProjectFixture;
let stage: Stage;
beforeAll(async () => {
  project = await createProject();
  stage = await openStage(project, { statementMs: 400, maxTimeouts: 6 });
  await project.admin.query(`
    create table public.docs (id int primary key, owner text);
    create table public.written (id int);
    grant select, insert, update, delete on public.docs, public.written to authenticated, service_role;
    alter table public.written disable row level security;
    create function public.act() returns bool language plpgsql as 'begin return true; end';
    create policy act on public.docs using (public.act() and owner = auth.uid());`);
});
afterAll(() => project.drop());

let ids = 0;
async function seenBy(body: string, subjects = ['u1', 'u2', 'u3']) {
  await project.admin.query(
    `create or replace function public.act() returns bool language plpgsql as $act$ begin ${body} end $act$`,
  );
  const changes = await stage.changes(
    'public.docs',
    `insert into public.docs values (${++ids}, 'u2')`,
  );
  return stage.ask(changes, subjects);
}

test.each([
  {
    name: 'the claims of the next caller',
    body: `perform set_config('request.jwt.claims', '{"sub":"u2"}', true), set_config('request.jwt.claim.sub', 'u2', true); return auth.uid() = 'u9';`,
  },
  {
    name: 'the claims for the session',
    body: `perform set_config('request.jwt.claim.sub', 'u2', false); return true;`,
    seen: ['1', '1', '1'],
  },
  {
    name: 'the output',
    body: `perform set_config('realtime.output', '{"known":"1","cut":[null],"broken":[],"bits":["1","1","1"],"pairs":null,"matches":[],"errors":[]}', false); return false;`,
  },
  {
    name: 'a setting of its own that opens the door',
    body: `if current_setting('app.open', true) = 'on' then return true; end if; perform set_config('app.open', 'on', false); return false;`,
  },
  {
    name: 'the search path',
    body: `perform set_config('search_path', 'pg_temp', true); return true;`,
    seen: ['0', '1', '0'],
  },
  {
    name: 'the role',
    body: `perform set_config('role', 'service_role', true); return true;`,
    seen: ['0', '1', '0'],
  },
  {
    name: 'the time limit',
    body: `perform set_config('statement_timeout', '0', true); return true;`,
    seen: ['0', '1', '0'],
  },
  {
    name: 'row security',
    body: `perform set_config('row_security', 'off', true); return true;`,
    seen: ['0', '1', '0'],
  },
])('a policy that sets $name decides for its own caller alone', async ({ body, seen }) => {
  const { newVisible } = await seenBy(body);
  expect(newVisible).toEqual(seen ?? ['0', '0', '0']);
});

test('a policy cannot write', async () => {
  const { errors, newVisible } = await seenBy(
    'insert into public.written values (1); return true;',
  );
  expect([...errors.values()].map(({ code }) => code)).toEqual(['25006', '25006', '25006']);
  expect(newVisible).toEqual(['0', '0', '0']);
  expect((await project.admin.query('select from public.written')).rowCount).toBe(0);
});

test.each([
  { name: 'any error', raise: `raise exception 'no'`, code: 'P0001' },
  {
    name: 'the code that ends evaluations',
    raise: `raise exception using errcode = 'RTEND'`,
    code: 'RTEND',
  },
  { name: 'an assertion', raise: 'assert false', code: 'P0004' },
  { name: 'a cancellation', raise: `raise exception using errcode = '57014'`, code: '57014' },
])('$name closes its caller and no other', async ({ raise, code }) => {
  const { errors, newVisible } = await seenBy(
    `if auth.uid() = 'u1' then ${raise}; end if; return true;`,
    ['u1', 'u2', 'u3', 'u4'],
  );
  expect([...errors].map(([index, error]) => [index, error.code])).toEqual([[0, code]]);
  expect(newVisible).toEqual(['0', '1', '0', '0']);
});

test('a policy that sleeps for one caller closes this caller alone', async () => {
  const { errors, newVisible } = await seenBy(
    `if auth.uid() = 'u3' then perform pg_sleep(30); end if; return true;`,
    ['u1', 'u2', 'u3', 'u4'],
  );
  expect([...errors.keys()]).toEqual([2]);
  expect(newVisible).toEqual(['0', '1', '0', '0']);
});

test('a policy that sleeps for all of them is given up', async () => {
  const { errors, newVisible } = await seenBy(
    'perform pg_sleep(30); return true;',
    Array.from({ length: 40 }, (_, i) => `u${i}`),
  );
  expect(errors.size).toBe(40);
  expect(newVisible.join('')).not.toContain('1');
});

test('a policy that reads its own table closes all', async () => {
  await project.admin.query(`
    create table public.loops (id int primary key, parent int);
    grant select on public.loops to authenticated;
    create policy deep on public.loops using (exists (select from public.loops l where l.id = loops.parent));`);
  const changes = await stage.changes('public.loops', 'insert into public.loops values (1, 1)');
  const { errors, newVisible } = await stage.ask(changes, ['u1']);
  expect([errors.get(0)?.code, newVisible]).toEqual(['42P17', ['0']]);
});

test('a policy that reads system columns closes all', async () => {
  await project.admin.query(`
    create table public.systems (id int primary key);
    grant select on public.systems to authenticated;
    create policy ctid on public.systems using (ctid is not null);`);
  const changes = await stage.changes('public.systems', 'insert into public.systems values (1)');
  const { errors, newVisible } = await stage.ask(changes, ['u1']);
  expect([errors.get(0)?.code, newVisible]).toEqual(['42703', ['0']]);
});

describe('names', () => {
  test('columns, tables and texts that look like names of the block', async () => {
    await project.admin.query(`
      create table public."realtime_rows" (
        id int primary key, owner text, realtime_rows int, realtime_i int, realtime__bits text, found bool,
        "ordinality" int, n int, "we ird""col" text, gone int);
      alter table public.realtime_rows drop column gone;
      grant select on public.realtime_rows to authenticated;
      create policy p on public.realtime_rows using (
        owner = auth.uid() and realtime_i = 1 and "we ird""col" <> 'auth.uid() OR $realtime$' and not found);`);
    const changes = await stage.changes(
      'public.realtime_rows',
      `insert into public.realtime_rows values (1, 'u1', 5, 1, 'x', false, 2, 3, 'a'),
        (2, 'u1', 5, 1, 'x', false, 2, 3, 'auth.uid() OR $realtime$')`,
    );
    expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(['10', '00']);
    await project.admin.query(
      'create policy loop on public.realtime_rows as restrictive using (public.act() or true)',
    );
    expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(['10', '00']);
  });

  test('a whole row in a policy', async () => {
    await project.admin.query(`
      create table public.wholes (id int primary key, owner text);
      grant select on public.wholes to authenticated;
      create function public.mine(w public.wholes) returns bool language sql stable as 'select w.owner = auth.uid()';
      create policy p on public.wholes using (public.mine(wholes));`);
    const changes = await stage.changes(
      'public.wholes',
      `insert into public.wholes values (1, 'u1')`,
    );
    expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(['1', '0']);
  });

  test('functions, operators, types and tables of the owner with names of built-in ones', async () => {
    await project.admin.query(`
      create table public.plain (id int primary key, owner text, tags text[]);
      grant select on public.plain to authenticated;
      create policy p on public.plain using (owner = auth.uid() and array_length(tags, 1) = 1);
      create function public.lie(text, text) returns bool language sql as 'select true';
      create operator public.= (leftarg = text, rightarg = text, function = public.lie);
      create function public.array_length(text[], int) returns int language sql as 'select 1';
      create function public.set_config(text, text, bool) returns text language sql as $$select 'spoilt'$$;
      create function public.current_setting(text) returns text language sql as $$select '{}'$$;
      create function public.string_agg(text, text) returns text language sql as $$select '1'$$;
      create domain public.text as int; create domain public.json as int;`);
    const changes = await stage.changes(
      'public.plain',
      `insert into public.plain values (1, 'u1', '{a}'), (2, 'u1', '{a,b}')`,
    );
    for (const extra of ['true', 'public.act() or true']) {
      await project.admin.query(`
        drop policy if exists extra on public.plain; create policy extra on public.plain as restrictive using (${extra})`);
      expect((await stage.ask(changes, ['u1', 'u2'])).newVisible).toEqual(['10', '00']);
    }
  });
});

describe('filters', () => {
  let changes: Awaited<ReturnType<Stage['changes']>>;
  beforeAll(async () => {
    await project.admin.query(`
      create type public.mood as enum ('low', 'high');
      create table public.items (id int8 primary key, price numeric, mood public.mood, name varchar(9), secret int);
      grant select (id, price, mood, name) on public.items to authenticated;
      create policy p on public.items using (true);`);
    changes = await stage.changes(
      'public.items',
      `insert into public.items values (9007199254740993, 10, 'high', 'a''b', 1), (2, 9.50, 'low', null, 1);
       delete from public.items where id = 2`,
    );
  });
  const filter = (text: string) => parseChangeFilter(text, 'filter');
  test.each([
    { filter: filter(`id=eq.9007199254740993`), matches: '100' },
    { filter: filter(`id=eq.9007199254740992`), matches: '000' },
    { filter: filter(`price=lt.9.6`), matches: '011' },
    { filter: filter(`price=gte.9.50`), matches: '111' },
    { filter: filter(`mood=gt.low`), matches: '100' },
    { filter: filter(`mood=in.("low","high")`), matches: '111' },
    { filter: filter(`name=eq.a'b`), matches: '100' },
    { filter: filter(`name=like.a*`), matches: '100' },
    { filter: filter(`name=is.null`), matches: '011' },
    { filter: filter(`name=not.is.null`), matches: '100' },
    { filter: filter(`name=in.("x\\"y","a'b")`), matches: '100' },
    { filter: filter(`price=eq.ten`), error: '22P02' },
    { filter: filter(`mood=eq.none`), error: '22P02' },
    { filter: filter(`secret=eq.1`), error: '42703' },
    { filter: filter(`nothing=eq.1`), error: '42703' },
  ])('$filter', async ({ filter: wanted, matches, error }) => {
    const question = { table: changes[0]?.table ?? 0, role: 'authenticated' } as const;
    const filters = [wanted, filter(`id=gt.0`)];
    const verdict = await stage.visibility.decide({
      ...question,
      changes,
      audiences: [audience('u1')],
      filters,
    });
    expect([verdict.filterMatches, verdict.newVisible]).toEqual([
      [matches ?? '000', '111'],
      ['110'],
    ]);
    expect(verdict.filterErrors.get(0)?.code).toBe(error);
    const refusal = await stage.visibility.checkFilter(question, wanted);
    expect(refusal === 'locked' ? refusal : refusal?.code).toBe(error);
  });
});
