import { describe, expect, test } from 'vitest';

import type { RestInput } from '../types/request.js';
import { readBatch } from './read-batch.js';
import { finish } from '#libs/steps';

const read = (operations: readonly unknown[], prefer?: string): readonly RestInput[] =>
  finish(readBatch(Buffer.from(JSON.stringify({ operations })), { prefer }));

const one = (operation: object, prefer?: string): RestInput | undefined =>
  read([operation], prefer)[0];

/** The request of an operation, with its body as text. */
const shown = (operation: object): object => {
  const input = one(operation);
  return { ...input, body: input?.body?.toString() };
};

describe('an operation is a request on the route of its model', () => {
  const post = { method: 'POST', model: 'orders', body: { id: 1 } };
  test.each([
    {
      name: 'POST of a row',
      operation: post,
      request: { method: 'POST', queryString: '', body: '{"id":1}' },
    },
    {
      name: 'POST of several rows',
      operation: { ...post, body: [{ id: 1 }, {}] },
      request: { method: 'POST', body: '[{"id":1},{}]' },
    },
    {
      name: 'POST with on_conflict',
      operation: { ...post, query: 'on_conflict=sku' },
      request: { method: 'POST', queryString: 'on_conflict=sku' },
    },
    {
      name: 'PATCH',
      operation: { method: 'PATCH', model: 'orders', query: 'id=eq.1', body: { a: 2 } },
      request: { method: 'PATCH', queryString: 'id=eq.1', body: '{"a":2}' },
    },
    {
      name: 'DELETE',
      operation: { method: 'DELETE', model: 'orders', query: 'id=eq.1&select=id' },
      request: { method: 'DELETE', queryString: 'id=eq.1&select=id', body: undefined },
    },
    {
      name: 'PATCH with an object of filters',
      operation: {
        method: 'PATCH',
        model: 'orders',
        query: { id: 'eq.a&b', or: '(a.is.null)' },
        body: {},
      },
      request: { method: 'PATCH', queryString: 'id=eq.a%26b&or=(a.is.null)', body: '{}' },
    },
    {
      name: 'DELETE with a filter twice',
      operation: { method: 'DELETE', model: 'orders', query: { id: ['gt.1', 'lt.5'] } },
      request: { method: 'DELETE', queryString: 'id=gt.1&id=lt.5' },
    },
    {
      name: 'a query string with letters that a URL encodes',
      operation: { method: 'DELETE', model: 'orders', query: 'name=eq.Zoë 日本' },
      request: { queryString: 'name=eq.Zo%C3%AB %E6%97%A5%E6%9C%AC' },
    },
  ])('$name', ({ operation, request }) => {
    expect(shown(operation)).toMatchObject({
      resource: { kind: 'table', name: 'orders' },
      place: undefined,
      ...request,
    });
  });

  test('operations keep their order', () => {
    const inputs = read([{ ...post, body: { id: 2 } }, post]);
    expect(inputs.map(({ body }) => body?.toString())).toEqual(['{"id":2}', '{"id":1}']);
  });

  test('a body travels as it was written', () => {
    const body = '{ "n": 1.10, "big": 12345678901234567890123, "t": "\\u00e9" }';
    const text = `{ "operations" : [ {"method":"POST","model":"t","body": ${body} } ]}`;
    expect(finish(readBatch(Buffer.from(text), {}))[0]?.body?.toString()).toBe(body);
  });
});

describe('match', () => {
  test.each([
    { name: 'a text', match: { a: 'x&y' }, query: '%22a%22=eq.x%26y' },
    { name: 'an empty text', match: { a: '' }, query: '%22a%22=eq.' },
    { name: 'the word null', match: { a: 'null' }, query: '%22a%22=eq.null' },
    { name: 'null', match: { a: null }, query: '%22a%22=is.null' },
    { name: 'true', match: { a: true }, query: '%22a%22=eq.true' },
    { name: 'two columns', match: { a: 1, b: 2 }, query: '%22a%22=eq.1&%22b%22=eq.2' },
    { name: 'a name of the grammar', match: { select: 1 }, query: '%22select%22=eq.1' },
    {
      name: 'a name with marks',
      match: { 'a.b->"c\\': 1 },
      query: '%22a.b-%3E%5C%22c%5C%5C%22=eq.1',
    },
    { name: 'nothing', match: {}, query: '' },
  ])('$name', ({ match, query }) => {
    expect(one({ method: 'DELETE', model: 't', match })?.queryString).toBe(query);
  });

  test('stands beside the query, and keeps every digit', () => {
    const digits = '12345678901234567890.10';
    const operation = `{"method":"DELETE","model":"t","query":"b=gt.1","match":{"a":${digits}}}`;
    const [input] = finish(readBatch(Buffer.from(`{"operations":[${operation}]}`), {}));
    expect(input?.queryString).toBe(`b=gt.1&%22a%22=eq.${digits}`);
  });
});

describe('Prefer applies to the batch as a whole', () => {
  const post = { method: 'POST', model: 't', body: {} };
  test.each([
    { name: 'representation is the default', operation: post, prefer: 'return=representation' },
    {
      name: 'those of the batch come before the defaults',
      operation: post,
      header: 'return=minimal',
      prefer: 'return=minimal, return=representation',
    },
    {
      name: 'those of the operation come first',
      operation: {
        ...post,
        query: 'on_conflict=',
        resolution: 'ignore-duplicates',
        missing: 'default',
      },
      header: 'missing=null',
      prefer:
        'resolution=ignore-duplicates, missing=default, missing=null, resolution=merge-duplicates, return=representation',
    },
    {
      name: 'on_conflict in the query string makes an upsert',
      operation: { ...post, query: 'select=id&on_conflict=id' },
      prefer: 'resolution=merge-duplicates, return=representation',
    },
    {
      name: 'on_conflict in an object of texts makes an upsert',
      operation: { ...post, query: { on_conflict: 'id' } },
      prefer: 'resolution=merge-duplicates, return=representation',
    },
    {
      name: 'a resolution makes an upsert',
      operation: { ...post, resolution: 'merge-duplicates' },
      prefer: 'resolution=merge-duplicates, return=representation',
    },
    {
      name: 'the resolution of the batch comes before that of on_conflict',
      operation: { ...post, query: 'on_conflict=id' },
      header: 'resolution=ignore-duplicates',
      prefer: 'resolution=ignore-duplicates, resolution=merge-duplicates, return=representation',
    },
  ])('$name', ({ operation, header, prefer }) => {
    expect(one(operation, header)?.headers.prefer).toBe(prefer);
  });
});
