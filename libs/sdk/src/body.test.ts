import { describe, expect, test } from 'vitest';

import { recordingFetch } from '../tests/recording-fetch.js';
import { toJson } from './body.js';
import { createClient } from './client.js';

const { fetch, sent } = recordingFetch({ body: [] });
const client = createClient('http://shop.test', undefined, { fetch });
const never = new Date(Number.NaN);

test.each<{ name: string; body: unknown; json: string }>([
  { name: 'a row', body: { a: Number.NaN, b: -Infinity }, json: '{"a":"NaN","b":"-Infinity"}' },
  { name: 'rows', body: [{ a: 1 }, { a: Infinity }], json: '[{"a":1},{"a":"Infinity"}]' },
  { name: 'a list of a row', body: { a: [1, Number.NaN] }, json: '{"a":[1,"NaN"]}' },
  { name: 'a list in a list', body: { a: [[Number.NaN]] }, json: '{"a":[["NaN"]]}' },
  {
    name: 'a bigint, at any depth',
    body: { a: { b: 2n ** 63n } },
    json: `{"a":{"b":"${2n ** 63n}"}}`,
  },
  { name: 'a date', body: { a: new Date(0) }, json: '{"a":"1970-01-01T00:00:00.000Z"}' },
  { name: 'a field without a value', body: { a: undefined, b: 1 }, json: '{"b":1}' },
  {
    name: 'objects of a class',
    body: {
      a: new (class {
        b = 1;
      })(),
    },
    json: '{"a":{"b":1}}',
  },
  { name: 'an object without a prototype', body: { a: Object.create(null) }, json: '{"a":{}}' },
  {
    name: 'a field called __proto__',
    body: JSON.parse('{"__proto__":{"a":1}}'),
    json: '{"__proto__":{"a":1}}',
  },
])('$name is $json', ({ body, json }) => {
  expect(toJson(body, 1)).toBe(json);
});

test.each<{ body: unknown; says: string }>([
  { body: [{}, {}, { meta: { score: Number.NaN } }], says: 'rows[2].meta.score is NaN' },
  { body: { meta: [{ at: [Infinity] }] }, says: 'meta[0].at[0] is Infinity' },
  { body: { at: never }, says: 'at is Invalid Date' },
  { body: [{ list: [never] }], says: 'rows[0].list[0] is Invalid Date' },
  { body: { meta: { at: never } }, says: 'meta.at is Invalid Date' },
  { body: { list: [1, undefined] }, says: 'list[1] is undefined' },
  { body: { list: [Symbol('x')] }, says: 'list[0] is Symbol(x)' },
  { body: { name: () => 'x' }, says: 'name is a function' },
  { body: { meta: new Map([['a', 1]]) }, says: 'meta is [object Map]' },
  { body: { name: Promise.resolve(1) }, says: 'name is [object Promise]' },
])('refuses that $says', ({ body, says }) => {
  const refusal = { code: 'INVALID_INPUT', message: `${says}, which JSON cannot hold` };
  expect(() => toJson(body, 1)).toThrow(expect.objectContaining(refusal));
});

describe('every body of the client', () => {
  const bad = { meta: { at: never } };
  const table = client.from('t');
  test.each([
    { name: 'insert', send: () => table.insert([bad]), path: 'rows[0].meta.at' },
    { name: 'update', send: () => table.update(bad).eq('id', 1), path: 'meta.at' },
    { name: 'upsert', send: () => table.upsert(bad), path: 'meta.at' },
    { name: 'rpc', send: () => client.rpc('f', bad), path: 'meta.at' },
    {
      name: 'transaction',
      send: () =>
        client.transaction((tx) => {
          tx.from('t').insert({ id: Number.NaN });
          tx.from('t').insert([{ id: 1 }, bad]);
        }),
      path: 'operations[1].body[1].meta.at',
    },
    {
      name: 'the fields of an account',
      send: () =>
        client.auth.signUp({
          email: 'a@example.org',
          password: 'p',
          options: { data: { at: never } },
        }),
      path: 'at',
    },
  ])('of $name is refused before it is sent', async ({ send, path }) => {
    const { error } = await send();
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(error?.message).toContain(`${path} is Invalid Date`);
    expect(sent).toHaveLength(0);
  });

  test('has NaN of rows and arguments as text', async () => {
    await client.rpc('f', { a: Number.NaN });
    await client.transaction((tx) => tx.from('t').insert([{ a: [Infinity] }]));
    expect(sent.map(({ body }) => body)).toMatchObject([
      { a: 'NaN' },
      { operations: [{ body: [{ a: ['Infinity'] }] }] },
    ]);
    sent.length = 0;
  });
});

test('a filter and an argument in the address are refused at once', () => {
  expect(() => client.from('t').delete().eq('at', never)).toThrow(/Invalid Date/);
  expect(() => client.from('t').select().contains('meta', { a: Number.NaN })).toThrow(/a is NaN/);
  expect(() => client.rpc('f', { meta: { a: Infinity } }, { get: true })).toThrow(/a is Infinity/);
});
