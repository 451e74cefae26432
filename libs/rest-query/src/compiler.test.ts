import { describe, expect, test } from '@jest/globals';
import { sampleCatalog } from '../tests/sample-catalog.js';
import { createQueryCompiler } from './compiler.js';
import type { Compiled } from './compiled.js';
import type { RestInput } from './types.js';

const limits = { maxRows: 1000 };

function input(request: Partial<RestInput>): RestInput {
  return { method: 'GET', table: 'planets', queryString: '', headers: {}, ...request };
}

function compile(request: Partial<RestInput>): Compiled {
  return createQueryCompiler({ maxShapes: 10 }).compile(sampleCatalog, limits, input(request));
}

const T = '"public"."planets"';
const ALL = 't."id", t."name", t."mass", t."found_at"';
const READ_ALL = `select row_to_json(r)::text from (select ${ALL} from ${T} t`;

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
      text: `select row_to_json(r)::text from (select t."name" as "n", t."mass"::text as "mass" from ${T} t order by t."mass" desc nulls last, t."id" limit 2 offset 4) r`,
      values: [],
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
      text: `select row_to_json(r)::text from (select t."mass" as "name", t."id" from ${T} t limit 1000) r`,
      values: [],
    },
  ])('GET $query', ({ query, text, values }) => {
    expect(compile({ queryString: query }).statements).toEqual([{ text, values, gives: 'rows' }]);
  });

  test('odd names are quoted, also in the schema-qualified table', () => {
    const queryString = 'select=%22p%C3%A4th.x%22&a%22b=eq.1';
    expect(compile({ table: 'odd "name"', queryString }).statements[0]?.text).toBe(
      'select row_to_json(r)::text from (select t."päth.x" from "public"."odd ""name""" t where t."a""b" = $1 limit 1000) r',
    );
  });

  test.each([
    { count: 'exact', texts: [`select count(*)::text from ${T} t where t."id" = $1`] },
    {
      count: 'planned',
      texts: [`explain (format json) select from ${T} t where t."id" = $1`],
    },
    {
      count: 'estimated',
      texts: [
        `select count(*)::text from (select from ${T} t where t."id" = $1 limit 1001) c`,
        `explain (format json) select from ${T} t where t."id" = $1`,
      ],
    },
  ])('count=$count runs behind the rows, and alone for HEAD', ({ count, texts }) => {
    const request = { queryString: 'id=eq.5', headers: { prefer: `count=${count}` } };
    const counts = texts.map((text) => ({ text, values: ['5'], gives: 'text' }));
    expect(compile(request).statements.slice(1)).toEqual(counts);
    expect(compile({ ...request, method: 'HEAD' }).statements).toEqual(counts);
  });

  test('HEAD without a count reads no row', () => {
    expect(compile({ method: 'HEAD', queryString: 'id=eq.5' }).statements).toEqual([
      { text: `select from ${T} t where t."id" = $1 limit 0`, values: ['5'], gives: 'nothing' },
    ]);
  });

  test('Range counts only for GET and without limit and offset', () => {
    const headers = { range: '5-9' };
    const text = (request: Partial<RestInput>) =>
      compile({ headers, ...request }).statements[0]?.text;
    expect(text({})).toContain('limit 5 offset 5');
    expect(text({ queryString: 'limit=2' })).toContain('limit 2)');
    expect(text({ queryString: 'offset=1' })).toContain('limit 1000 offset 1)');
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
      text: `${INSERT} ("name", "id") select x."name", x."id" from json_to_recordset($1::json) as x("name" text, "id" bigint)`,
      value: '[{"name":"a","id":1}]',
    },
    {
      name: 'rows of defaults',
      body: '[{},{}]',
      text: `${INSERT} select from json_array_elements($1::json)`,
      value: '[{},{}]',
    },
    {
      name: 'columns',
      query: 'columns=%22name%22',
      body: '[{"name":"a","junk":1}]',
      text: `${INSERT} ("name") select x."name" from json_to_recordset($1::json) as x("name" text)`,
    },
    {
      name: 'merge on the primary key',
      prefer: 'resolution=merge-duplicates',
      body: '[{"id":1,"name":"a"}]',
      text: `${INSERT} ("id", "name") select x."id", x."name" from json_to_recordset($1::json) as x("id" bigint, "name" text) on conflict ("id") do update set "name" = excluded."name"`,
    },
    {
      name: 'ignore on a named key',
      query: 'on_conflict=name',
      prefer: 'resolution=ignore-duplicates',
      body: '[{"name":"a"}]',
      text: `${INSERT} ("name") select x."name" from json_to_recordset($1::json) as x("name" text) on conflict ("name") do nothing`,
    },
    {
      name: 'missing=default, keys that differ',
      prefer: 'missing=default',
      body: '[{"id":1},{"mass":2,"name":"b"}]',
      text: `${INSERT} ("id", "mass", "name") select case when e.row -> 'id' is null then nextval(pg_get_serial_sequence('"public"."planets"', 'id')) else x."id" end, case when e.row -> 'mass' is null then (1) else x."mass" end, x."name" from json_array_elements($1::json) as e(row) cross join lateral json_to_record(e.row) as x("id" bigint, "mass" numeric, "name" text)`,
    },
    {
      name: 'missing=default, equal keys',
      query: 'columns=name,mass',
      prefer: 'missing=default',
      body: '[{"name":"a"}]',
      text: `${INSERT} ("name") select x."name" from json_to_recordset($1::json) as x("name" text)`,
    },
  ])('POST: $name', ({ query = '', prefer, body, text, value = body }) => {
    const { statements, shape } = compile({
      method: 'POST',
      queryString: query,
      headers: { prefer },
      body,
    });
    expect(statements).toEqual([{ text, values: [value], gives: 'nothing' }]);
    expect(shape).toMatchObject({ isWrite: true, ending: 'implicit', frame: undefined });
  });

  test('a representation is selected from the write', () => {
    const { statements, shape } = compile({
      method: 'PATCH',
      queryString: 'id=gt.3&select=n:name&order=mass',
      headers: { prefer: 'return=representation' },
      body: '{"name":"x"}',
    });
    expect(statements).toEqual([
      {
        text: `with t as (update ${T} as t set "name" = x."name" from json_to_record($1::json) as x("name" text) where t."id" > $2 returning t."name", t."mass") select row_to_json(r)::text from (select t."name" as "n" from t order by t."mass") r`,
        values: ['{"name":"x"}', '3'],
        gives: 'rows',
      },
    ]);
    expect(shape.frame).toEqual({ open: '[', separator: ',', close: ']' });
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
      expect(shape.adminRefusal?.().code).toBe(refused ? 'UNFILTERED_WRITE' : undefined);
    },
  );
});

describe('refusals', () => {
  const rows: readonly (Partial<RestInput> & { readonly name: string; readonly code: string })[] = [
    { name: 'an unknown table', table: 'planet', code: 'PGRST205' },
    { name: 'a blocked table', table: 'session', code: 'PGRST205' },
    { name: 'an unknown column in select', queryString: 'select=nam', code: 'PGRST204' },
    { name: 'an unknown column in order', queryString: 'order=nam', code: 'PGRST204' },
    { name: 'an unknown column in a filter', queryString: 'nam=eq.1', code: 'PGRST204' },
    { name: 'an unknown operator', queryString: 'id=equals.1', code: 'PGRST100' },
    { name: 'a filter without operator', queryString: 'id=5', code: 'PGRST100' },
    { name: 'a number with a dot as a filter', queryString: 'mass=5.3', code: 'PGRST100' },
    { name: 'not twice', queryString: 'id=not.not.eq.1', code: 'PGRST100' },
    { name: 'an unknown is', queryString: 'id=is.5', code: 'PGRST100' },
    { name: 'a modifier that does not fit', queryString: 'id=neq(any).{1}', code: 'PGRST100' },
    { name: 'an unknown modifier', queryString: 'id=eq(some).{1}', code: 'PGRST100' },
    { name: 'in with a modifier', queryString: 'id=in(any).(1)', code: 'PGRST100' },
    { name: 'an unclosed list', queryString: 'id=in.(1', code: 'PGRST100' },
    { name: 'full text search, not yet', queryString: 'name=fts(english).a', code: 'PGRST100' },
    { name: 'contains, not yet', queryString: 'name=cs.{a}', code: 'PGRST100' },
    { name: 'logic trees, not yet', queryString: 'or=(id.eq.1,id.eq.2)', code: 'PGRST100' },
    { name: 'filters on embeds, not yet', queryString: 'moons.name=eq.1', code: 'PGRST100' },
    { name: 'limits of embeds, not yet', queryString: 'moons.limit=1', code: 'PGRST100' },
    { name: 'JSON paths, not yet', queryString: 'name-%3Ea=eq.1', code: 'PGRST100' },
    { name: 'select twice', queryString: 'select=id&select=name', code: 'PGRST100' },
    { name: 'another schema', headers: { acceptProfile: 'auth' }, code: 'PGRST106' },
    { name: 'another schema for a write', headers: { contentProfile: 'auth' }, code: 'PGRST106' },
    { name: 'limit on a write', method: 'DELETE', queryString: 'limit=1', code: 'PGRST100' },
    { name: 'columns on a read', queryString: 'columns=id', code: 'PGRST100' },
    {
      name: 'a filter on POST',
      method: 'POST',
      queryString: 'id=eq.1',
      body: '{}',
      code: 'PGRST100',
    },
    { name: 'a key without column', method: 'POST', body: '{"nam":1}', code: 'PGRST204' },
    { name: 'a key with NUL', method: 'POST', body: '{"id\\u0000name":1}', code: 'PGRST204' },
    {
      name: 'an unknown name in columns',
      method: 'POST',
      queryString: 'columns=x',
      body: '{}',
      code: 'PGRST204',
    },
    {
      name: 'a column named twice',
      method: 'POST',
      queryString: 'columns=id,id',
      body: '{}',
      code: 'PGRST100',
    },
    {
      name: 'on_conflict without resolution',
      method: 'POST',
      queryString: 'on_conflict=id',
      body: '{}',
      code: 'PGRST100',
    },
    {
      name: 'PATCH with rows',
      method: 'PATCH',
      queryString: 'id=eq.1',
      body: '[{"id":1}]',
      code: 'PGRST102',
    },
    { name: 'POST without a body', method: 'POST', code: 'PGRST102' },
    {
      name: 'a CSV body',
      method: 'POST',
      body: '{}',
      headers: { contentType: 'text/csv' },
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
  ];
  test.each(rows)('$name is $code', ({ name: _name, code, ...request }) => {
    expect(() => compile(request)).toThrow(expect.objectContaining({ code }));
  });

  test('a misspelt name gets a hint, a blocked one is never the hint', () => {
    expect(() => compile({ table: 'planet' })).toThrow(
      expect.objectContaining({ hint: 'Perhaps you meant the table planets' }),
    );
    expect(() => compile({ queryString: 'select=nme' })).toThrow(
      expect.objectContaining({ hint: 'Perhaps you meant the column name' }),
    );
    expect(() => compile({ table: 'sessions' })).toThrow(
      expect.objectContaining({ hint: undefined }),
    );
  });
});

describe('the memory of shapes', () => {
  test('requests that differ in values share a shape', () => {
    const compiler = createQueryCompiler({ maxShapes: 10 });
    const run = (request: Partial<RestInput>) =>
      compiler.compile(sampleCatalog, limits, input(request));
    const first = run({ queryString: 'id=eq.1' });
    const second = run({ queryString: 'id=eq.2' });
    expect(second.shape).toBe(first.shape);
    expect(second.statements[0]?.values).toEqual(['2']);
    expect(run({ queryString: 'id=neq.2' }).shape).not.toBe(first.shape);
    expect(run({ queryString: 'id=eq.2', method: 'HEAD' }).shape).not.toBe(first.shape);
    expect(run({ queryString: 'id=eq.2', headers: { prefer: 'count=exact' } }).shape).not.toBe(
      first.shape,
    );
  });

  test('a body with a NUL in a key is never taken for a known shape', () => {
    const compiler = createQueryCompiler({ maxShapes: 10 });
    const post = (body: string) =>
      compiler.compile(sampleCatalog, limits, input({ method: 'POST', body }));
    post('{"id":1,"name":"a"}');
    expect(() => post('{"id\\u0000name":1}')).toThrow(/no column/);
    expect(() => post('{"id\\u0000name":1,"x":2}')).toThrow(/no column/);
  });

  test('no more than maxShapes are kept, and a new catalog empties the memory', () => {
    const compiler = createQueryCompiler({ maxShapes: 4 });
    for (let limit = 1; limit < 50; limit++) {
      compiler.compile(sampleCatalog, limits, input({ queryString: `limit=${limit}` }));
      expect(compiler.size).toBeLessThanOrEqual(4);
    }
    compiler.compile({ ...sampleCatalog }, limits, input({}));
    expect(compiler.size).toBe(1);
    compiler.compile({ ...sampleCatalog }, { maxRows: 5 }, input({}));
    expect(compiler.size).toBe(1);
  });

  test('a shape that is in use survives the change of generations', () => {
    const compiler = createQueryCompiler({ maxShapes: 4 });
    const run = (queryString: string) =>
      compiler.compile(sampleCatalog, limits, input({ queryString })).shape;
    const used = run('id=eq.1');
    for (let limit = 1; limit < 20; limit++) {
      run(`limit=${limit}`);
      expect(run('id=eq.2')).toBe(used);
    }
  });

  test('refusals and very long keys are not kept', () => {
    const compiler = createQueryCompiler({ maxShapes: 4 });
    expect(() => compiler.compile(sampleCatalog, limits, input({ table: 'x' }))).toThrow();
    compiler.compile(sampleCatalog, limits, input({ headers: { accept: 'x'.repeat(3000) } }));
    expect(compiler.size).toBe(0);
  });
});
