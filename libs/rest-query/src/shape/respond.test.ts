import { describe, expect, test } from 'vitest';
import { compileAtOnce, inputOf, type Request as PlainRequest } from '../../tests/run-request.js';
import { sampleCatalog } from '../../tests/sample-catalog.js';
import { createQueryCompiler } from '../compiler.js';
import type { ResponseHead, StatementResult } from './respond.js';

interface Request extends PlainRequest {
  readonly prefer?: string;
  readonly accept?: string;
  /** What the request skips. */
  readonly offset?: number;
}

function respond(request: Request, results: readonly StatementResult[]): ResponseHead {
  const { prefer, accept, offset = 0, ...rest } = request;
  const input = inputOf({
    queryString: offset === 0 ? '' : `offset=${offset}`,
    headers: { prefer, accept },
    seesAllRows: true,
    ...rest,
  });
  const compiler = createQueryCompiler({ maxShapes: 1 });
  const limits = { maxRows: 100, functionSchemas: [], definerFunctions: [] };
  const compiled = compileAtOnce(compiler, sampleCatalog, limits, input);
  return compiled.shape.respond(results, { offset: compiled.offset });
}

const OBJECT = 'application/vnd.pgrst.object+json';
const plan = (rows: number): string => JSON.stringify([{ Plan: { 'Plan Rows': rows } }]);

describe('Content-Range of reads', () => {
  test.each([
    { name: 'rows', query: '', results: [{ count: 10 }], range: '0-9/*' },
    { name: 'no rows', query: '', results: [{ count: 0 }], range: '*/*' },
    { name: 'an offset', query: 'offset=5', results: [{ count: 2 }], range: '5-6/*' },
    {
      name: 'behind the end, uncounted',
      query: 'offset=99',
      results: [{ count: 0 }],
      range: '*/*',
    },
    {
      name: 'a total',
      query: '',
      prefer: 'count=exact',
      results: [{ count: 10 }, { count: 1, text: '57' }],
      range: '0-9/57',
    },
    {
      name: 'nothing, counted',
      query: '',
      prefer: 'count=exact',
      results: [{ count: 0 }, { count: 1, text: '0' }],
      range: '*/0',
    },
    {
      name: 'an offset at the very end',
      query: 'offset=15',
      prefer: 'count=exact',
      results: [{ count: 0 }, { count: 1, text: '15' }],
      range: '*/15',
    },
    {
      name: 'rows deleted between the two snapshots',
      query: '',
      prefer: 'count=exact',
      results: [{ count: 10 }, { count: 1, text: '8' }],
      range: '0-9/10',
    },
    {
      name: "the planner's guess",
      query: '',
      prefer: 'count=planned',
      results: [{ count: 10 }, { count: 0, text: plan(1234) }],
      range: '0-9/1234',
    },
    {
      name: 'an estimate that is exact',
      query: '',
      prefer: 'count=estimated',
      results: [{ count: 10 }, { count: 1, text: '100' }, { count: 0, text: plan(1234) }],
      range: '0-9/100',
    },
    {
      name: 'an estimate above the ceiling',
      query: '',
      prefer: 'count=estimated',
      results: [{ count: 10 }, { count: 1, text: '101' }, { count: 0, text: plan(1234) }],
      range: '0-9/1234',
    },
  ])('$name', ({ query, prefer = '', results, range }) => {
    const { status, headers } = respond({ queryString: query, prefer }, results);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-range': range, 'range-unit': 'items' });
  });

  test.each([
    { query: '', prefer: '', results: [{ count: 0 }], range: '*/*' },
    { query: '', prefer: 'count=exact', results: [{ count: 1, text: '57' }], range: '0-56/57' },
    { query: '', prefer: 'count=exact', results: [{ count: 1, text: '570' }], range: '0-99/570' },
    {
      query: 'limit=10&offset=50',
      prefer: 'count=exact',
      results: [{ count: 1, text: '57' }],
      range: '50-56/57',
    },
    { query: 'limit=0', prefer: 'count=exact', results: [{ count: 1, text: '57' }], range: '*/57' },
    { query: '', prefer: 'count=exact', results: [{ count: 1, text: '0' }], range: '*/0' },
  ])('HEAD $query $prefer answers as GET would: $range', ({ query, prefer, results, range }) => {
    const { headers } = respond({ method: 'HEAD', queryString: query, prefer }, results);
    expect(headers['content-range']).toBe(range);
  });

  test('an offset behind a known end is 416', () => {
    const results = [{ count: 0 }, { count: 1, text: '15' }];
    expect(() => respond({ queryString: 'offset=16', prefer: 'count=exact' }, results)).toThrow(
      expect.objectContaining({
        code: 'PGRST103',
        status: 416,
        details: { offset: 16, total: 15 },
      }),
    );
  });
});

describe('writes', () => {
  const patch: Request = { method: 'PATCH', queryString: 'id=gt.1', body: '{"name":"x"}' };
  const post: Request = { method: 'POST', body: '[{"name":"x"}]' };
  const remove: Request = { method: 'DELETE', queryString: 'id=gt.1' };
  test.each([
    { name: 'POST', request: post, count: 2, status: 201, range: '0-1/*' },
    { name: 'POST, nothing written', request: post, count: 0, status: 201, range: '*/*' },
    { name: 'PATCH', request: patch, count: 3, status: 200, range: '0-2/*' },
    { name: 'DELETE', request: remove, count: 3, status: 200, range: '0-2/*' },
    { name: 'DELETE, nothing matched', request: remove, count: 0, status: 200, range: '*/*' },
    {
      name: 'a counted DELETE',
      request: { ...remove, prefer: 'count=exact' },
      count: 3,
      status: 200,
      range: '0-2/3',
    },
    {
      name: 'an empty PATCH',
      request: { ...patch, body: '{}' },
      count: 0,
      status: 200,
      range: '*/*',
    },
    {
      name: 'within max-affected',
      request: { ...patch, prefer: 'max-affected=3' },
      count: 3,
      status: 200,
      range: '0-2/*',
    },
  ])('$name', ({ request, count, status, range }) => {
    const head = respond(request, [{ count }]);
    expect(head.status).toBe(status);
    expect(head.headers['content-range']).toBe(range);
    expect(head.headers['content-type']).toBeUndefined();
  });

  test.each([
    { name: 'PATCH that matches nothing', request: patch, count: 0, code: 'NO_ROWS_MATCHED' },
    {
      name: 'more rows than max-affected',
      request: { ...remove, prefer: 'max-affected=2' },
      count: 3,
      code: 'PGRST124',
    },
    {
      name: 'one object, two rows',
      request: { ...post, accept: OBJECT },
      count: 2,
      code: 'PGRST116',
    },
    {
      name: 'one object, no row',
      request: { ...patch, accept: OBJECT },
      count: 0,
      code: 'PGRST116',
    },
    { name: 'one object read, no row', request: { accept: OBJECT }, count: 0, code: 'PGRST116' },
  ])('$name is $code', ({ request, count, code }) => {
    expect(() => respond(request, [{ count }])).toThrow(expect.objectContaining({ code }));
  });

  test('headers-only shows where the new row is', () => {
    const request: Request = {
      method: 'POST',
      body: '{"name":"x"}',
      prefer: 'return=headers-only',
    };
    const { headers } = respond(request, [{ count: 1, text: '["a b/5"]' }]);
    expect(headers['location']).toBe('/rest/v1/planets?id=eq.a%20b%2F5');
  });

  test('Preference-Applied names what was given and had a meaning', () => {
    const prefer =
      'tx=rollback, count=exact, resolution=merge-duplicates, params=single-object, x=1';
    const applied = (request: Request, results: readonly StatementResult[]) =>
      respond({ ...request, prefer }, results).headers['preference-applied'];
    expect(applied({}, [{ count: 0 }, { count: 1, text: '0' }])).toBe('count=exact');
    expect(applied(remove, [{ count: 1 }])).toBe('count=exact, tx=rollback');
    expect(applied(post, [{ count: 1 }])).toBe(
      'resolution=merge-duplicates, count=exact, tx=rollback',
    );
  });

  test.each([
    { accept: '*/*', type: 'application/json; charset=utf-8' },
    { accept: OBJECT, type: 'application/vnd.pgrst.object+json; charset=utf-8' },
    { accept: 'text/csv', type: 'text/csv; charset=utf-8' },
  ])('$accept is answered as $type', ({ accept, type }) => {
    expect(respond({ accept }, [{ count: 1 }]).headers['content-type']).toBe(type);
  });
});
