import { describe, expect, test } from 'vitest';

import { createClient } from '../client.js';
import { recordingFetch } from '../../tests/recording-fetch.js';

const { fetch, sent } = recordingFetch({ body: [] });
const client = createClient('http://shop.test', undefined, { fetch });
const table = client.from('t');

async function sentBy(query: PromiseLike<unknown>) {
  await query;
  const { method, target, headers, body } = sent.at(-1) ?? {};
  return { method, target, accept: headers?.['accept'], prefer: headers?.['prefer'], body };
}

describe('reads', () => {
  test.each<[name: string, query: () => PromiseLike<unknown>, target: string]>([
    ['no columns are all', () => table.select(), 'select=*'],
    ['blanks go', () => table.select('id, author ( name )'), 'select=id,author(name)'],
    [
      'order',
      () => table.select().order('a').order('b', { ascending: false }),
      'select=*&order=a.asc,b.desc',
    ],
    [
      'order with nulls',
      () => table.select().order('a', { nullsFirst: true }).order('b', { nullsFirst: false }),
      'select=*&order=a.asc.nullsfirst,b.asc.nullslast',
    ],
    [
      'order of an embed',
      () => table.select().order('a').order('b', { referencedTable: 'x' }),
      'select=*&order=a.asc&x.order=b.asc',
    ],
    ['limit', () => table.select().limit(5), 'select=*&limit=5'],
    ['the last limit counts', () => table.select().limit(5).limit(2), 'select=*&limit=2'],
    [
      'limit of an embed',
      () => table.select().limit(1, { referencedTable: 'x.y' }),
      'select=*&x.y.limit=1',
    ],
    [
      'range is offset and limit, both ends included',
      () => table.select().range(10, 19),
      'select=*&offset=10&limit=10',
    ],
    [
      'range of an embed',
      () => table.select().range(1, 1, { referencedTable: 'x' }),
      'select=*&x.offset=1&x.limit=1',
    ],
    [
      'maybeSingle asks for one row',
      () => table.select().limit(9).maybeSingle(),
      'select=*&limit=1',
    ],
  ])('%s', async (_, query, target) => {
    expect(await sentBy(query())).toMatchObject({
      method: 'GET',
      target: `/rest/v1/t?${target}`,
      accept: 'application/json',
      prefer: undefined,
      body: undefined,
    });
  });

  test('the name of a table is one step of the path', async () => {
    await client.from('a/b?c').select();
    expect(sent.at(-1)?.path).toBe('/rest/v1/a%2Fb%3Fc');
  });

  test('a count with head reads no rows', async () => {
    expect(await sentBy(table.select('*', { count: 'exact', head: true }))).toMatchObject({
      method: 'HEAD',
      prefer: 'count=exact',
    });
  });
});

describe('representations', () => {
  test.each<[name: string, query: () => PromiseLike<unknown>, accept: string]>([
    ['single', () => table.select().single(), 'application/vnd.pgrst.object+json'],
    ['csv', () => table.select().csv(), 'text/csv'],
    ['geojson', () => table.select().geojson(), 'application/geo+json'],
    [
      'stripNulls',
      () => table.select().stripNulls(),
      'application/vnd.pgrst.array+json;nulls=stripped',
    ],
    [
      'stripNulls of one row',
      () => table.select().stripNulls().returns().single(),
      'application/vnd.pgrst.object+json;nulls=stripped',
    ],
    ['stripNulls means nothing for csv', () => table.select().csv().stripNulls(), 'text/csv'],
    [
      'explain',
      () => table.select().explain(),
      'application/vnd.pgrst.plan+text; for="application/json"',
    ],
    [
      'explain with everything',
      () =>
        table.select().explain({
          analyze: true,
          verbose: true,
          settings: true,
          buffers: true,
          wal: true,
          format: 'json',
        }),
      'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose|settings|buffers|wal',
    ],
  ])('%s', async (_, query, accept) => {
    expect((await sentBy(query())).accept).toBe(accept);
  });
});

describe('writes', () => {
  test('one row is sent as an object and asks for nothing back', async () => {
    expect(await sentBy(table.insert({ a: 1 }))).toEqual({
      method: 'POST',
      target: '/rest/v1/t',
      accept: 'application/json',
      prefer: undefined,
      body: { a: 1 },
    });
    expect(sent.at(-1)?.headers['content-type']).toBe('application/json');
  });

  test('several rows name the columns that any of them has, quoted and escaped', async () => {
    const rows = [
      { a: 1, 'b "c"': 2 },
      { a: 3, d: undefined, e: null },
    ];
    expect(await sentBy(table.insert(rows))).toMatchObject({
      target: '/rest/v1/t?columns="a","b \\"c\\"","e"',
      body: [
        { a: 1, 'b "c"': 2 },
        { a: 3, e: null },
      ],
    });
  });

  test('no rows name no columns', async () => {
    expect(await sentBy(table.insert([]))).toMatchObject({ target: '/rest/v1/t', body: [] });
  });

  test('a bigint and a date are written as text', async () => {
    expect((await sentBy(table.insert({ a: 2n ** 60n, b: new Date(0) }))).body).toEqual({
      a: '1152921504606846976',
      b: '1970-01-01T00:00:00.000Z',
    });
  });

  test('every preference is in one header', async () => {
    const query = table
      .insert([{ a: 1 }], { count: 'exact', defaultToNull: false })
      .select('a')
      .maxAffected(1)
      .rollback();
    expect(await sentBy(query)).toMatchObject({
      target: '/rest/v1/t?columns="a"&select=a',
      prefer:
        'count=exact,missing=default,return=representation,handling=strict,max-affected=1,tx=rollback',
    });
  });

  test.each([
    {
      name: 'updates what is there',
      options: {},
      target: '',
      prefer: 'resolution=merge-duplicates',
    },
    {
      name: 'leaves what is there',
      options: { ignoreDuplicates: true },
      target: '',
      prefer: 'resolution=ignore-duplicates',
    },
    {
      name: 'takes the conflict target as text',
      options: { onConflict: 'a,b' },
      target: '?on_conflict=a,b',
      prefer: 'resolution=merge-duplicates',
    },
    {
      name: 'quotes a list of names',
      options: { onConflict: ['a', 'b c'] },
      target: '?on_conflict="a","b c"',
      prefer: 'resolution=merge-duplicates',
    },
  ])('upsert $name', async ({ options, target, prefer }) => {
    expect(await sentBy(table.upsert({ a: 1 }, options))).toMatchObject({
      method: 'POST',
      target: `/rest/v1/t${target}`,
      prefer,
    });
  });

  test('update and delete have filters', async () => {
    expect(await sentBy(table.update({ a: 2 }, { count: 'exact' }).eq('id', 1))).toMatchObject({
      method: 'PATCH',
      target: '/rest/v1/t?id=eq.1',
      prefer: 'count=exact',
      body: { a: 2 },
    });
    expect(await sentBy(table.delete().eq('id', 1).select().single())).toMatchObject({
      method: 'DELETE',
      target: '/rest/v1/t?select=*&id=eq.1',
      accept: 'application/vnd.pgrst.object+json',
      prefer: 'return=representation',
      body: undefined,
    });
  });
});

describe('functions', () => {
  test('a call sends its arguments as the body', async () => {
    const query = client.rpc('add', { a: 1, b: [2], c: null }, { count: 'exact' });
    expect(await sentBy(query)).toMatchObject({
      method: 'POST',
      target: '/rest/v1/rpc/add',
      prefer: 'count=exact',
      body: { a: 1, b: [2], c: null },
    });
    expect((await sentBy(client.rpc('now'))).body).toEqual({});
  });

  test('a result can be filtered, ordered and narrowed', async () => {
    const query = client.rpc('list', {}).select('id').eq('kind', 'x').order('id').limit(2);
    expect((await sentBy(query)).target).toBe(
      '/rest/v1/rpc/list?select=id&order=id.asc&limit=2&kind=eq.x',
    );
  });

  test.each([
    { name: 'get', options: { get: true }, method: 'GET' },
    { name: 'head', options: { head: true }, method: 'HEAD' },
  ])('with $name the arguments are parameters', async ({ options, method }) => {
    const args = { a: 'x&y', b: [1, 'z w'], c: { d: 1 }, e: undefined };
    await client.rpc('f', args, options);
    expect(sent.at(-1)).toMatchObject({ method, path: '/rest/v1/rpc/f', body: undefined });
    expect(sent.at(-1)?.params).toEqual([
      ['a', 'x&y'],
      ['b', '{1,"z w"}'],
      ['c', '{"d":1}'],
    ]);
  });

  test('null cannot be a parameter', () => {
    expect(() => client.rpc('f', { a: null }, { get: true })).toThrow(TypeError);
  });

  test('another schema is named by the header of the method', async () => {
    await client.schema('tools').rpc('f');
    expect(sent.at(-1)?.headers).toMatchObject({ 'content-profile': 'tools' });
    await client.schema('tools').rpc('f', {}, { get: true });
    expect(sent.at(-1)?.headers).toMatchObject({ 'accept-profile': 'tools' });
  });
});

test('each await sends the request once, as it is then', async () => {
  const query = table.select();
  const before = sent.length;
  await query;
  await query.eq('a', 1);
  expect(sent.slice(before).map(({ target }) => target)).toEqual([
    '/rest/v1/t?select=*',
    '/rest/v1/t?select=*&a=eq.1',
  ]);
});

test('a request that nobody awaits is not sent', () => {
  const before = sent.length;
  void table.select().eq('a', 1);
  expect(sent).toHaveLength(before);
});
