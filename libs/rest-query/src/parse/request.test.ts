import { describe, expect, test } from 'vitest';
import { inputOf, type Request } from '../../tests/run-request.js';
import type { RestRequest } from '../types/request.js';
import { readBody } from './body.js';
import { finish } from '#libs/steps';
import { parseRequest } from './index.js';
import { templateOf } from './query-template.js';

const add = { function: 'add' } as const;
const POST = { method: 'POST', ...add } as const;

function parse(request: Request): RestRequest {
  const input = inputOf(request);
  const { key } = templateOf(input.queryString, input.resource.kind);
  return parseRequest(
    { input, queryKey: key, body: finish(readBody(input))?.text, range: undefined },
    {
      functionSchemas: ['maths'],
      argumentNamesOf: (_schema, name) => new Set(name === 'add' ? ['a', 'b', 'limit'] : []),
    },
  );
}

describe('requests on tables', () => {
  test.each([
    { method: 'GET', is: { kind: 'read', readsRows: true } },
    { method: 'HEAD', is: { kind: 'read', readsRows: false } },
    { method: 'POST', body: '{}', is: { kind: 'insert' } },
    { method: 'PATCH', body: '{}', is: { kind: 'update' } },
    { method: 'DELETE', is: { kind: 'delete' } },
  ] as const)('$method', ({ is, ...request }) => {
    expect(parse(request)).toMatchObject({ ...is, table: 'planets' });
  });

  test('clauses of embeds have a meaning for writes too', () => {
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      const queryString = 'select=id,moons(id)&moons.order=id&moons.limit=1&moons.id=gt.1';
      expect(parse({ method, queryString, body: '{}' })).toMatchObject({
        embedded: [{ path: ['moons'], window: { offset: 0, limit: 1 } }],
        where: { nodes: [] },
      });
    }
  });

  test.each([
    { method: 'DELETE', queryString: 'limit=1', reason: /limit has no meaning for DELETE/ },
    { method: 'PATCH', queryString: 'offset=1', reason: /offset has no meaning for PATCH/ },
    { method: 'POST', queryString: 'limit=1', reason: /limit has no meaning for POST/ },
    { method: 'GET', queryString: 'columns=id', reason: /columns has no meaning for GET/ },
    { method: 'DELETE', queryString: 'columns=id', reason: /columns has no meaning/ },
    { method: 'PATCH', queryString: 'on_conflict=id', reason: /on_conflict has no meaning/ },
    { method: 'POST', queryString: 'id=eq.1', reason: /filter has no meaning for POST/ },
    { method: 'POST', queryString: 'or=(id.eq.1)', reason: /filter has no meaning for POST/ },
    { method: 'POST', queryString: 'on_conflict=id', reason: /on_conflict needs the header/ },
    { method: 'GET', queryString: 'select=id&select=name', reason: /select is given twice/ },
    { method: 'POST', queryString: 'columns=a&columns=b', reason: /columns is given twice/ },
  ] as const)('refuses $method $queryString', ({ reason, ...request }) => {
    expect(() => parse({ ...request, body: '{}' })).toThrow(reason);
  });

  test('columns that equal an earlier result of the batch are filters', () => {
    const reference = { operation: 0, row: 0, column: 'id' };
    const place = {
      index: 1,
      isReferenced: false,
      references: [],
      matches: [{ column: 'id', reference }],
    };
    const leaf = {
      kind: 'leaf',
      leaf: { field: { name: 'id', path: [] }, test: { kind: 'equals-result', reference } },
    };
    expect(parse({ method: 'DELETE', place })).toMatchObject({
      place,
      where: { kind: 'and', nodes: [leaf] },
    });
    expect(parse({ method: 'DELETE', place, queryString: 'a=eq.1' })).toMatchObject({
      where: { kind: 'and', nodes: [{ kind: 'and' }, leaf] },
    });
    expect(() => parse({ method: 'POST', place, body: '{}' })).toThrow(/no meaning for POST/);
  });
});

describe('profiles', () => {
  test.each([
    { acceptProfile: 'public', contentProfile: 'public', method: 'GET' },
    { acceptProfile: '', contentProfile: undefined, method: 'GET' },
  ] as const)('tables are in public', ({ method, ...headers }) => {
    expect(parse({ method, headers }).kind).toBe('read');
  });

  test.each([{ acceptProfile: 'maths' }, { contentProfile: 'auth' }])(
    'tables are in no other schema: %o',
    (headers) => {
      expect(() => parse({ headers })).toThrow(
        expect.objectContaining({ code: 'PGRST106', status: 406 }),
      );
    },
  );

  test.each([
    { method: 'GET', headers: {}, schema: 'public' },
    { method: 'GET', headers: { acceptProfile: 'maths', contentProfile: 'x' }, schema: 'maths' },
    { method: 'HEAD', headers: { acceptProfile: 'maths' }, schema: 'maths' },
    { method: 'POST', headers: { contentProfile: 'maths', acceptProfile: 'x' }, schema: 'maths' },
    { method: 'POST', headers: { contentProfile: 'public' }, schema: 'public' },
  ] as const)('$method $headers calls in $schema', ({ schema, ...request }) => {
    expect(parse({ ...request, ...add })).toMatchObject({ schema });
  });

  test.each([
    { method: 'GET', headers: { acceptProfile: 'auth' } },
    { method: 'POST', headers: { contentProfile: 'Public' } },
  ] as const)('$method $headers is PGRST106', (request) => {
    expect(() => parse({ ...request, ...add })).toThrow(
      expect.objectContaining({ code: 'PGRST106', hint: 'Exposed here: public, maths' }),
    );
  });
});

describe('arguments in a query string', () => {
  const value = (text: string, slot: number | undefined) => ({ text, slot });
  test.each([
    { query: '', values: [], filters: 0 },
    {
      query: 'a=1&b=x.y',
      values: [
        ['a', value('', 0)],
        ['b', value('', 1)],
      ],
      filters: 0,
    },
    { query: 'a=eq.1', values: [['a', value('eq.', 0)]], filters: 0 },
    { query: 'a=is.null', values: [['a', value('is.null', undefined)]], filters: 0 },
    { query: 'a=5&a=gt.2', values: [['a', value('', 0)]], filters: 1 },
    { query: 'a=gt.2&a=5', values: [['a', value('', 1)]], filters: 1 },
    { query: 'a=gt.2&a=lt.9', values: [['a', value('gt.', 0)]], filters: 1 },
    {
      query: 'a=1&b=2&a=3',
      values: [
        ['a', value('', 0)],
        ['b', value('', 1)],
        ['a', value('', 2)],
      ],
      filters: 0,
    },
    { query: 'c=eq.1&b=2', values: [['b', value('', 1)]], filters: 1 },
    { query: 'c=1', values: [['c', value('', 0)]], filters: 0 },
    { query: '%22limit%22=3&limit=2', values: [['limit', value('', 0)]], filters: 0 },
    {
      query: '"a"=eq.1&"b"=2',
      values: [
        ['a', value('eq.', 0)],
        ['b', value('', 1)],
      ],
      filters: 0,
    },
    { query: '"a"=1&"a"=gt.2&"c"=gt.3', values: [['a', value('', 0)]], filters: 2 },
    { query: '"a.\\"b"=1', values: [['a."b', value('', 0)]], filters: 0 },
    { query: 'or=(c.eq.1)&a=2', values: [['a', value('', 1)]], filters: 1 },
  ])('$query', ({ query, values, filters }) => {
    const request = parse({ ...add, queryString: query });
    expect(request).toMatchObject({
      kind: 'call',
      function: 'add',
      isReadOnly: true,
      readsRows: true,
      arguments: { kind: 'named', values: values.map(([name, each]) => ({ name, value: each })) },
    });
    expect(request.where).toMatchObject({ nodes: { length: filters } });
  });

  test('reserved names are never arguments', () => {
    const queryString = 'limit=1&offset=2&order=x&select=y&moons.limit=3';
    expect(parse({ ...add, queryString })).toMatchObject({
      arguments: { values: [] },
      window: { offset: 1, limit: 1 },
      select: [{ field: { name: 'y' } }],
      embedded: [{ path: ['moons'] }],
    });
  });
});

describe('calls by POST', () => {
  test.each([
    { body: '{"a":1}', prefer: undefined, is: { kind: 'object', keys: ['a'] } },
    { body: '{"a":1}', prefer: 'params=single-object', is: { kind: 'single', type: 'json' } },
    { body: '[1]', prefer: undefined, is: { kind: 'single', type: 'json' } },
  ])('$body with $prefer', ({ body, prefer, is }) => {
    expect(parse({ ...POST, body, headers: { prefer } })).toMatchObject({
      arguments: is,
      isReadOnly: false,
      readsRows: true,
    });
  });

  test('what stands in the query string filters the result', () => {
    expect(parse({ ...POST, queryString: 'a=eq.1&limit=2' })).toMatchObject({
      where: { nodes: [{ leaf: { field: { name: 'a' } } }] },
      window: { limit: 2 },
    });
    expect(() => parse({ ...POST, queryString: 'a=1' })).toThrow(/is not operator\.value/);
  });

  test.each(['PATCH', 'DELETE'] as const)('%s does not call', (method) => {
    expect(() => parse({ method, ...add })).toThrow(
      expect.objectContaining({ code: 'METHOD_NOT_ALLOWED', status: 405 }),
    );
  });
});
