import { describe, expect, test } from 'vitest';
import { compileAtOnce, inputOf, LIMITS, type Request } from '../tests/run-request.js';
import { sampleCatalog } from '../tests/sample-catalog.js';
import { createQueryCompiler } from './compiler.js';
import type { Compiled } from './compiled.js';
import type { BatchPlace } from './types/grammar.js';

type Run = (request: Request) => Compiled;

function runner(maxShapes = 10): Run {
  const compiler = createQueryCompiler({ maxShapes });
  return (request) => compileAtOnce(compiler, sampleCatalog, LIMITS, inputOf(request));
}

const csv = { contentType: 'text/csv' };
const place = (more: Partial<BatchPlace> = {}): BatchPlace => ({
  index: 0,
  isReferenced: false,
  references: [],
  matches: [],
  ...more,
});

describe('requests share a shape', () => {
  const rows: readonly { name: string; one: Request; other: Request }[] = [
    { name: 'values', one: { queryString: 'id=eq.1' }, other: { queryString: 'id=eq.2' } },
    {
      name: 'values in logic trees',
      one: { queryString: 'or=(id.eq.1,name.like.a*)' },
      other: { queryString: 'or=(id.eq.23,name.like."b,*")' },
    },
    { name: 'offsets', one: { queryString: 'offset=1' }, other: { queryString: 'offset=99' } },
    {
      name: 'beginnings of equally long ranges',
      one: { headers: { range: '10-19' } },
      other: { headers: { range: '20-29' } },
    },
    {
      name: 'arguments',
      one: { function: 'add', queryString: 'a=1' },
      other: { function: 'add', queryString: 'a=x.y' },
    },
    {
      name: 'rows',
      one: { method: 'POST', body: '[{"id":1}]' },
      other: { method: 'POST', body: '[{"id":2},{"id":3}]' },
    },
    {
      name: 'CSV and JSON',
      one: { method: 'POST', body: '[{"id":1}]' },
      other: { method: 'POST', body: 'id\n5', headers: csv },
    },
    {
      name: 'places in a batch',
      one: { method: 'DELETE', queryString: 'id=eq.1', place: place({ index: 1 }) },
      other: { method: 'DELETE', queryString: 'id=eq.1', place: place({ index: 2 }) },
    },
  ];
  test.each(rows)('that differ in $name', ({ one, other }) => {
    const run = runner();
    expect(run(other).shape).toBe(run(one).shape);
  });
});

describe('requests have shapes of their own', () => {
  const base: Request = { queryString: 'id=eq.1' };
  const match = { column: 'id', reference: { operation: 0, row: 0, column: 'id' } };
  const remove: Request = { ...base, method: 'DELETE' };
  const rows: readonly { name: string; one?: Request; other: Request }[] = [
    { name: 'operators', other: { queryString: 'id=neq.1' } },
    { name: 'methods', other: { ...base, method: 'HEAD' } },
    { name: 'preferences', other: { ...base, headers: { prefer: 'count=exact' } } },
    { name: 'formats', other: { ...base, headers: { accept: 'text/csv' } } },
    { name: 'tables', other: { ...base, table: 'moons' } },
    { name: 'profiles', other: { ...base, headers: { acceptProfile: 'public' } } },
    { name: 'ranges', other: { ...base, headers: { range: '0-9' } } },
    {
      name: 'lengths of ranges',
      one: { headers: { range: '0-9' } },
      other: { headers: { range: '0-8' } },
    },
    {
      name: 'ranges with and without an offset',
      one: { headers: { range: '0-9' } },
      other: { headers: { range: '1-10' } },
    },
    {
      name: 'tables and functions',
      one: { table: 'moons' },
      other: { function: 'heavy_planets', queryString: 'least=1' },
    },
    {
      name: 'names of arguments',
      one: { function: 'add', queryString: 'a=1' },
      other: { function: 'add', queryString: 'a=1&b=2' },
    },
    {
      name: 'keys of a body',
      one: { method: 'POST', body: '[{"id":1}]' },
      other: { method: 'POST', body: '[{"name":"x"}]' },
    },
    {
      name: 'kinds of a body',
      one: { function: 'keep', method: 'POST', body: '1' },
      other: { function: 'keep', method: 'POST', body: '{}' },
    },
    { name: 'operations and requests', one: remove, other: { ...remove, place: place() } },
    {
      name: 'matches',
      one: { ...remove, place: place() },
      other: { ...remove, place: place({ matches: [match] }) },
    },
    {
      name: 'indexes that others refer to',
      one: { ...remove, place: place({ index: 1, isReferenced: true }) },
      other: { ...remove, place: place({ index: 2, isReferenced: true }) },
    },
  ];
  test.each(rows)('when they differ in $name', ({ one = base, other }) => {
    const run = runner();
    const { shape } = run(one);
    expect(run(one).shape).toBe(shape);
    expect(run(other).shape).not.toBe(shape);
  });
});

test('a table and a function of one name have shapes of their own', () => {
  const moons = sampleCatalog.tableByName.get('moons');
  if (!moons) throw new Error('the sample has no moons');
  const catalog = { ...sampleCatalog, tableByName: new Map([['land', moons]]) };
  const compiler = createQueryCompiler({ maxShapes: 10 });
  const shapes = [{ table: 'land' }, { function: 'land' }].map((resource) => {
    const input = inputOf({ ...resource, queryString: 'planet_id=eq.1' });
    return compileAtOnce(compiler, catalog, LIMITS, input).shape;
  });
  expect(shapes[0]).not.toBe(shapes[1]);
});

describe('values', () => {
  test('an offset is bound, and told to the judge', () => {
    const run = runner();
    for (const request of [{ queryString: 'offset=7' }, { headers: { range: '7-' } }]) {
      const { statements, offset } = run(request);
      expect(statements[0]?.values).toEqual(['7']);
      expect(offset).toBe(7);
    }
    expect(run({ queryString: 'offset=-7' })).toMatchObject({ offset: 0 });
    expect(run({ queryString: 'limit=1', headers: { range: '7-' } })).toMatchObject({ offset: 0 });
  });

  test('operands go to their places, whatever the order of the statement', () => {
    const { statements } = runner()({
      queryString:
        'select=id,moons(id)&moons.name=eq.first&or=(id.in.(2,3),name.like."a,*")&mass=gt.4',
      headers: { prefer: 'count=exact' },
    });
    for (const { text, values } of statements) {
      const valueOf = (pattern: RegExp) => values[Number(pattern.exec(text)?.[1]) - 1];
      if (text.includes('moons')) expect(valueOf(/"name" = \$(\d+)/)).toBe('first');
      expect(valueOf(/"id" = any\(\$(\d+)/)).toBe('{"2","3"}');
      expect(valueOf(/"name" like \$(\d+)/)).toBe('a,%');
      expect(valueOf(/"mass" > \$(\d+)/)).toBe('4');
    }
  });

  test.each([
    { queryString: 'a=5', values: ['5'] },
    { queryString: 'a=eq.5', values: ['eq.5'] },
    { queryString: 'a=is.null', values: ['is.null'] },
    { queryString: 'a=1&a=2', values: ['2'] },
    { queryString: 'b=not.in.(1)&a=', values: ['', 'not.in.(1)'] },
  ])('the arguments of $queryString', ({ queryString, values }) => {
    const { statements } = runner()({ function: 'add', queryString });
    expect(statements[0]?.values).toEqual(values);
  });
});

describe('calls', () => {
  const POST = { method: 'POST', body: '{"planet_id":1}', function: 'land' } as const;
  test.each([
    { name: 'a function that may write', request: POST, isWrite: true, ending: 'implicit' },
    {
      name: 'a function that is declared not to write',
      request: { function: 'add', method: 'POST', body: '{"a":1}' },
      isWrite: false,
      ending: 'implicit',
    },
    {
      name: 'GET',
      request: { function: 'land', queryString: 'planet_id=1' },
      isWrite: false,
      ending: 'implicit',
    },
    {
      name: 'a dry run',
      request: { ...POST, headers: { prefer: 'tx=rollback' } },
      isWrite: true,
      ending: 'rollback',
    },
  ] as const)('$name', ({ request, isWrite, ending }) => {
    expect(runner()(request).shape).toMatchObject({ isWrite, ending });
  });
});

describe('plans of statements', () => {
  const accept = 'application/vnd.pgrst.plan+json; options=analyze';
  test.each([{}, { method: 'DELETE' }, { function: 'add', queryString: 'a=1' }] as const)(
    'are for administrators: %o',
    (request) => {
      const { shape } = runner()({ ...request, headers: { accept } });
      expect(shape.adminRefusal).toBe('EXPLAIN_REFUSED');
    },
  );
});

describe('the memory of shapes', () => {
  test('a body with a NUL in a key is never taken for a known shape', () => {
    const run = runner();
    const post = (body: string) => run({ method: 'POST', body });
    post('{"id":1,"name":"a"}');
    expect(() => post('{"id\\u0000name":1}')).toThrow(/no column/);
    expect(() => post('{"id\\u0000name":1,"x":2}')).toThrow(/no column/);
  });

  test('no more than maxShapes are kept; another catalog or other limits empty the memory', () => {
    const compiler = createQueryCompiler({ maxShapes: 4 });
    for (let limit = 1; limit < 50; limit++) {
      compileAtOnce(compiler, sampleCatalog, LIMITS, inputOf({ queryString: `limit=${limit}` }));
      expect(compiler.size).toBeLessThanOrEqual(4);
    }
    compileAtOnce(compiler, { ...sampleCatalog }, LIMITS, inputOf({}));
    expect(compiler.size).toBe(1);
    const catalog = { ...sampleCatalog };
    compileAtOnce(compiler, catalog, LIMITS, inputOf({}));
    compileAtOnce(compiler, catalog, LIMITS, inputOf({ method: 'HEAD' }));
    expect(compiler.size).toBe(2);
    compileAtOnce(compiler, catalog, { ...LIMITS }, inputOf({}));
    expect(compiler.size).toBe(1);
  });

  test('deep pagination and long values fill no memory', () => {
    const compiler = createQueryCompiler({ maxShapes: 100 });
    for (let offset = 1; offset < 50; offset++) {
      const queryString = `offset=${offset}&name=eq.${'x'.repeat(offset * 100)}`;
      compileAtOnce(compiler, sampleCatalog, LIMITS, inputOf({ queryString }));
    }
    expect(compiler.size).toBe(1);
  });

  test('a shape that is in use survives the change of generations', () => {
    const run = runner(4);
    const used = run({ queryString: 'id=eq.1' }).shape;
    for (let limit = 1; limit < 20; limit++) {
      run({ queryString: `limit=${limit}` });
      expect(run({ queryString: 'id=eq.2' }).shape).toBe(used);
    }
  });

  test('refusals and very long keys are not kept', () => {
    const compiler = createQueryCompiler({ maxShapes: 4 });
    const run = (request: Request) =>
      compileAtOnce(compiler, sampleCatalog, LIMITS, inputOf(request));
    expect(() => run({ table: 'x' })).toThrow();
    run({ headers: { accept: 'x'.repeat(3000) } });
    expect(compiler.size).toBe(0);
  });
});
