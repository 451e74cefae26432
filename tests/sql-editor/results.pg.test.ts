// The results of all statements, their limits, and scripts that are undone.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { operatorHeaders, rowsOf } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

const path = '/api/admin/sql';
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql('create table public.planets (id int primary key, name text)');
});
afterAll(() => deployment.close());

const run = (query: string, extra: Readonly<Record<string, unknown>> = {}) =>
  project.asService({ method: 'POST', path, body: { query, results: 'all', ...extra } });
const countPlanets = async () => {
  const [row] = await rowsOf(project, 'select count(*)::int as n from public.planets');
  return row?.['n'];
};

test('each statement answers with its rows as texts, its count, its time and its notices', async () => {
  const reply = await run(`
    insert into planets values (1, 'Mercury'), (2, 'Venus') returning id;
    do $$ begin raise notice 'half way'; end $$;
    select 12345678901234567890.10::numeric as n, null as n, '{"a": 1.0}'::json as j, true as b;
    delete from planets`);
  expect(reply.status).toBe(200);
  const times = { durationMs: expect.any(Number), isCut: false };
  expect(reply.body).toEqual({
    durationMs: expect.any(Number),
    statements: [
      {
        command: 'INSERT',
        fields: [{ name: 'id', type: 'int4' }],
        rows: [['1'], ['2']],
        rowCount: 2,
        notices: [],
        ...times,
      },
      {
        command: 'DO',
        fields: [],
        rows: [],
        rowCount: 0,
        notices: [{ severity: 'NOTICE', message: 'half way' }],
        ...times,
      },
      {
        command: 'SELECT',
        fields: [
          { name: 'n', type: 'numeric' },
          { name: 'n', type: 'text' },
          { name: 'j', type: 'json' },
          { name: 'b', type: 'bool' },
        ],
        rows: [['12345678901234567890.10', null, '{"a": 1.0}', 't']],
        rowCount: 1,
        notices: [],
        ...times,
      },
      { command: 'DELETE', fields: [], rows: [], rowCount: 2, notices: [], ...times },
    ],
  });
});

test.each([
  { name: 'fewer rows than the limit', maxRows: 4, rows: 3, isCut: false },
  { name: 'as many rows as the limit', maxRows: 3, rows: 3, isCut: false },
  { name: 'more rows', maxRows: 2, rows: 2, isCut: true },
])('$name: what is behind the limit is cut', async ({ maxRows, rows, isCut }) => {
  const reply = await run('select generate_series(1, 3)', { maxRows });
  expect(reply.body).toMatchObject({ statements: [{ rowCount: rows, isCut }] });
});

test('a limit stops no write', async () => {
  const query = `insert into planets select n from generate_series(1, 5) n returning id;
    with gone as (delete from planets returning id) select id from gone`;
  const reply = await run(query, { maxRows: 1 });
  expect(reply.body).toMatchObject({
    statements: [
      { rows: [['1']], isCut: true },
      { rows: [['1']], isCut: true },
    ],
  });
  expect(await countPlanets()).toBe(0);
});

test('a function that writes is called for every row, also behind the limit', async () => {
  await project.sql(`create function public.add(n int) returns int language sql
    as 'insert into planets values (n) returning id'`);
  const reply = await run('select add(n) from generate_series(1, 50) n', { maxRows: 1 });
  expect(reply.body).toMatchObject({ statements: [{ rowCount: 1, isCut: true }] });
  expect(await countPlanets()).toBe(50);
  await project.sql('delete from public.planets');
});

test('a result that is cut does not keep its table from the next statement', async () => {
  const query = `select generate_series(1, 9), (select count(*) from planets);
    select * from planets; alter table planets add column size int`;
  expect((await run(query, { maxRows: 1 })).status).toBe(200);
});

test('a huge result is cut without being read', async () => {
  const reply = await run(`select repeat('x', 1000) from generate_series(1, 1000000)`);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ statements: [{ rowCount: 1000, isCut: true }] });
});

test('notices are kept up to a number', async () => {
  const query = `do $$ begin for i in 1..500 loop raise notice '%', i; end loop; end $$`;
  const [statement] = asRecord((await run(query)).body)['statements'] as unknown[];
  expect(asRecord(statement)['notices']).toHaveLength(100);
});

test('an error has its place in the whole script, and nothing stays', async () => {
  const reply = await run(`insert into planets values (7, 'x');\nselect nothing from planets`);
  expect(reply.body).toMatchObject({ status: 400, details: { statement: 2, line: 2, column: 8 } });
  expect(await countPlanets()).toBe(0);
});

test('values belong to one statement', async () => {
  const reply = await run('select $1::int + 1 as n', { params: [41] });
  expect(reply.body).toMatchObject({ statements: [{ rows: [['42']] }] });
  expect((await run('select $1::int; delete from planets', { params: [1] })).status).toBe(400);
  const none = await run('select 1', { params: null });
  expect([none.status, none.body]).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining('params') }),
  ]);
});

test.each(['all', 'last'])('a dry run is undone, with the results %s', async (results) => {
  const query = `explain (analyze, format json) insert into planets values (8, 'Neptune')`;
  const reply = await run(query, { dryRun: true, results });
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('Actual Rows');
  expect(await countPlanets()).toBe(0);
});

test('no statement ends the transaction of a dry run', async () => {
  const insert = `insert into planets values (9, 'Pluto')`;
  for (const end of ['commit', 'end', 'do $$ begin commit; end $$', 'prepare transaction $$x$$']) {
    const reply = await run(`${insert}; ${end}; select 1`, { dryRun: true });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  }
  expect(await countPlanets()).toBe(0);
});

test('operators on rows get the same', async () => {
  const headers = operatorHeaders(deployment, project, ['content.write']);
  const body = { query: 'select current_user; select 2', results: 'all', dryRun: true };
  const reply = await project.send({ method: 'POST', path, headers, body });
  expect(reply.body).toMatchObject({
    statements: [{ rows: [['service_role']] }, { rows: [['2']] }],
  });
});

test.each([
  { field: 'results', body: { results: 'some' } },
  { field: 'maxRows', body: { maxRows: 0 } },
  { field: 'maxRows', body: { maxRows: 50_001 } },
  { field: 'maxRows', body: { maxRows: 5, results: 'last' } },
  { field: 'dryRun', body: { dryRun: 'yes' } },
  { field: 'id', body: { id: '42' } },
])('a wrong $field is refused by name: $body', async ({ field, body }) => {
  const reply = await run('select 1', body);
  expect(reply.status).toBe(400);
  expect(asRecord(reply.body)['message']).toContain(field);
});
