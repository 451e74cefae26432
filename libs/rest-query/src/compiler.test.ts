import { describe, expect, test } from 'vitest';
import { compileAtOnce, inputOf, LIMITS, type Request, valueText } from '../tests/run-request.js';
import { sampleCatalog } from '../tests/sample-catalog.js';
import { createQueryCompiler } from './compiler.js';
import type { Compiled } from './compiled.js';

function compile(request: Request): Compiled {
  return compileAtOnce(
    createQueryCompiler({ maxShapes: 10 }),
    sampleCatalog,
    LIMITS,
    inputOf(request),
  );
}

/** The statements with all values as texts. */
const shown = ({ statements }: Compiled) =>
  statements.map((statement) => ({ ...statement, values: statement.values.map(valueText) }));

const T = '"public"."planets"';
const ALL = 't."id", t."name", t."mass", t."found_at"';
const READ_ALL = `select pg_catalog.row_to_json(r.*)::pg_catalog.text from (select ${ALL} from ${T} t`;

describe('reads', () => {
  test.each([
    { query: '', text: `${READ_ALL} limit 1000) r`, values: [] },
    {
      query: 'id=eq.5&limit=5000',
      text: `${READ_ALL} where t."id" = $1 limit 1000) r`,
      values: ['5'],
    },
    {
      query: 'select=n:name,mass::text&order=mass.desc.nullslast,id&limit=2&offset=4',
      text: `select pg_catalog.row_to_json(r.*)::pg_catalog.text from (select t."name" as "n", t."mass"::pg_catalog.text as "mass" from ${T} t order by t."mass" desc nulls last, t."id" limit 2 offset $1) r`,
      values: ['4'],
    },
    {
      query: 'id=in.(1,2)&name=not.ilike.*a*&mass=isdistinct.1&found_at=is.NOT_NULL',
      text: `${READ_ALL} where t."id" = any($1) and not (t."name" ilike $2) and t."mass" is distinct from $3 and t."found_at" is not null limit 1000) r`,
      values: ['{"1","2"}', '%a%', '1'],
    },
    {
      query: 'name=like(any).{a*,b*}&mass=gt(all).{1,2}&name=match.^a*',
      text: `${READ_ALL} where t."name" like any($1) and t."mass" > all($2) and t."name" ~ $3 limit 1000) r`,
      values: ['{a%,b%}', '{1,2}', '^a*'],
    },
    { query: 'select=id,name,id,*', text: `${READ_ALL} limit 1000) r`, values: [] },
    {
      query: 'select=name,id,name:mass',
      text: `select pg_catalog.row_to_json(r.*)::pg_catalog.text from (select t."mass" as "name", t."id" from ${T} t limit 1000) r`,
      values: [],
    },
  ])('GET $query', ({ query, text, values }) => {
    expect(compile({ queryString: query }).statements).toEqual([{ text, values, gives: 'rows' }]);
  });

  test('odd names are quoted, also in the schema-qualified table', () => {
    const queryString = 'select=%22p%C3%A4th.x%22&a%22b=eq.1';
    expect(compile({ table: 'odd "name"', queryString }).statements[0]?.text).toBe(
      'select pg_catalog.row_to_json(r.*)::pg_catalog.text from (select t."päth.x" from "public"."odd ""name""" t where t."a""b" = $1 limit 1000) r',
    );
  });

  test.each([
    {
      count: 'exact',
      texts: [`select pg_catalog.count(*)::pg_catalog.text from ${T} t where t."id" = $1`],
    },
    {
      count: 'planned',
      texts: [`explain (format json) select from ${T} t where t."id" = $1`],
    },
    {
      count: 'estimated',
      texts: [
        `select pg_catalog.count(*)::pg_catalog.text from (select from ${T} t where t."id" = $1 limit 1001) c`,
        `explain (format json) select from ${T} t where t."id" = $1`,
      ],
    },
    {
      count: 'planned',
      seesAllRows: false,
      texts: [
        `select pg_catalog.count(*)::pg_catalog.text from (select from ${T} t where t."id" = $1 limit 100000) c`,
      ],
    },
  ])(
    'count=$count runs behind the rows, and alone for HEAD',
    ({ count, texts, seesAllRows = true }) => {
      const request = {
        queryString: 'id=eq.5',
        headers: { prefer: `count=${count}` },
        seesAllRows,
      };
      const counts = texts.map((text) => ({ text, values: ['5'], gives: 'text' }));
      expect(compile(request).statements.slice(1)).toEqual(counts);
      expect(compile({ ...request, method: 'HEAD' }).statements).toEqual(counts);
    },
  );

  test('HEAD without a count reads no row', () => {
    expect(compile({ method: 'HEAD', queryString: 'id=eq.5' }).statements).toEqual([
      { text: `select from ${T} t where t."id" = $1 limit 0`, values: ['5'], gives: 'nothing' },
    ]);
  });

  test('Range counts only for GET and without limit and offset', () => {
    const headers = { range: '5-9' };
    const text = (request: Request) => compile({ headers, ...request }).statements[0]?.text;
    expect(text({})).toContain('limit 5 offset $1)');
    expect(text({ queryString: 'limit=2' })).toContain('limit 2)');
    expect(text({ queryString: 'offset=1' })).toContain('limit 1000 offset $1)');
    expect(() => text({ method: 'GET', headers: { range: '9-5' } })).toThrow(/range/);
    expect(text({ method: 'HEAD', headers: { range: '9-5' } })).toContain('limit 0');
  });
});

describe('writes', () => {
  const INSERT = `insert into ${T} as t`;
  test.each([
    {
      name: 'one object',
      body: '{"name":"a","id":1}',
      text: `${INSERT} ("name", "id") select x."name", x."id" from pg_catalog.json_to_recordset($1::pg_catalog.json) as x ("name" pg_catalog.text, "id" bigint)`,
      value: '[{"name":"a","id":1}]',
    },
    {
      name: 'rows of defaults',
      body: '[{},{}]',
      text: `${INSERT} select from pg_catalog.json_array_elements($1::pg_catalog.json)`,
      value: '[{},{}]',
    },
    {
      name: 'columns',
      query: 'columns=%22name%22',
      body: '[{"name":"a","junk":1}]',
      text: `${INSERT} ("name") select x."name" from pg_catalog.json_to_recordset($1::pg_catalog.json) as x ("name" pg_catalog.text)`,
    },
    {
      name: 'merge on the primary key',
      prefer: 'resolution=merge-duplicates',
      body: '[{"id":1,"name":"a"}]',
      text: `${INSERT} ("id", "name") select x."id", x."name" from pg_catalog.json_to_recordset($1::pg_catalog.json) as x ("id" bigint, "name" pg_catalog.text) on conflict ("id") do update set "name" = excluded."name"`,
    },
    {
      name: 'ignore on a named key',
      query: 'on_conflict=name',
      prefer: 'resolution=ignore-duplicates',
      body: '[{"name":"a"}]',
      text: `${INSERT} ("name") select x."name" from pg_catalog.json_to_recordset($1::pg_catalog.json) as x ("name" pg_catalog.text) on conflict ("name") do nothing`,
    },
    {
      name: 'missing=default, keys that differ',
      prefer: 'missing=default',
      body: '[{"id":1},{"mass":2,"name":"b"}]',
      text: `${INSERT} ("id", "mass", "name") select case when e.row operator(pg_catalog.->) 'id' is null then pg_catalog.nextval(pg_catalog.pg_get_serial_sequence('"public"."planets"', 'id')) else x."id" end, case when e.row operator(pg_catalog.->) 'mass' is null then (1) else x."mass" end, x."name" from pg_catalog.json_array_elements($1::pg_catalog.json) as e (row) cross join lateral pg_catalog.json_to_record(e.row) as x ("id" bigint, "mass" numeric, "name" pg_catalog.text)`,
    },
    {
      name: 'missing=default, equal keys',
      query: 'columns=name,mass',
      prefer: 'missing=default',
      body: '[{"name":"a"}]',
      text: `${INSERT} ("name") select x."name" from pg_catalog.json_to_recordset($1::pg_catalog.json) as x ("name" pg_catalog.text)`,
    },
  ])('POST: $name', ({ query = '', prefer, body, text, value = body }) => {
    const compiled = compile({
      method: 'POST',
      queryString: query,
      headers: { prefer },
      body,
    });
    expect(shown(compiled)).toEqual([{ text, values: [value], gives: 'nothing' }]);
    expect(compiled.shape).toMatchObject({ isWrite: true, ending: 'implicit', frame: undefined });
  });

  test('a representation is selected from the write', () => {
    const compiled = compile({
      method: 'PATCH',
      queryString: 'id=gt.3&select=n:name&order=mass',
      headers: { prefer: 'return=representation' },
      body: '{"name":"x"}',
    });
    expect(shown(compiled)).toEqual([
      {
        text: `with t as (update ${T} as t set "name" = x."name" from pg_catalog.json_to_record($1::pg_catalog.json) as x ("name" pg_catalog.text) where t."id" > $2 returning t."name" as c1, t."mass" as c2) select pg_catalog.row_to_json(r.*)::pg_catalog.text from (select t.c1 as "n" from t order by t.c2) r`,
        values: ['{"name":"x"}', '3'],
        gives: 'rows',
      },
    ]);
    expect(compiled.shape.frame).toEqual({ open: '[', separator: ',', close: ']' });
  });

  test('DELETE', () => {
    expect(compile({ method: 'DELETE', queryString: 'id=eq.1' }).statements[0]?.text).toBe(
      `delete from ${T} as t where t."id" = $1`,
    );
  });

  test.each(['{}', '[]'])('PATCH with %s touches nothing', (body) => {
    const { statements } = compile({ method: 'PATCH', queryString: 'id=eq.1', body });
    expect(statements[0]?.text).toBe(`select from ${T} t where false`);
  });

  test.each([
    { prefer: '', accept: '', ending: 'implicit' },
    { prefer: 'max-affected=1', accept: '', ending: 'inspect' },
    { prefer: '', accept: 'application/vnd.pgrst.object+json', ending: 'inspect' },
    { prefer: 'tx=rollback,max-affected=1', accept: '', ending: 'rollback' },
  ])('$prefer $accept ends with $ending', ({ prefer, accept, ending }) => {
    const headers = { prefer, accept };
    const { shape } = compile({ method: 'DELETE', queryString: 'id=eq.1', headers });
    expect(shape.ending).toBe(ending);
  });

  test.each([
    { method: 'DELETE', query: '', refused: true },
    { method: 'PATCH', query: 'select=id', refused: true },
    { method: 'PATCH', query: 'id=is.null', refused: false },
    { method: 'POST', query: '', refused: false },
    { method: 'GET', query: '', refused: false },
  ] as const)(
    '$method $query: refused to everybody but administrators: $refused',
    ({ method, query, refused }) => {
      const { shape } = compile({ method, queryString: query, body: '{"name":"a"}' });
      expect(shape.adminRefusal).toBe(refused ? 'UNFILTERED_WRITE' : undefined);
    },
  );
});
