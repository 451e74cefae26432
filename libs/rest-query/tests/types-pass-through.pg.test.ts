// The bytes of an answer are those that PostgreSQL writes. What they mean is compared with what the
// driver decodes from the same values, read as columns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRestDatabase, type RestDatabase } from './rest-database.js';

let database: RestDatabase;

/** The text of a value as the driver hands it on, before it is decoded. */
type Meaning = (text: string) => unknown;

const asNumber: Meaning = Number;
const asText: Meaning = (text) => text;
const asJson: Meaning = (text) => JSON.parse(text);
const asBoolean: Meaning = (text) => text === 't';
// A time stands in JSON as in ISO 8601, with all digits of its zone.
const asTime: Meaning = (text) => text.replace(' ', 'T').replace(/([+-]\d\d)(?= BC|$)/, '$1:00');

interface Kind {
  readonly type: string;
  readonly values: readonly string[];
  readonly means: Meaning;
}

const texts = (type: string, ...values: string[]): Kind => ({ type, values, means: asText });

const KINDS: readonly Kind[] = [
  { type: 'smallint', values: ['-32768', '0', '32767'], means: asNumber },
  { type: 'integer', values: ['-2147483648', '2147483647'], means: asNumber },
  { type: 'real', values: ['1.5', '-0', '3.4e38', '1e-37'], means: asNumber },
  { type: 'double precision', values: ['0.1', '1e308', '5e-324', '-0'], means: asNumber },
  { type: 'boolean', values: ['true', 'false'], means: asBoolean },
  { type: 'oid', values: ['4294967295'], means: asText },
  {
    type: 'json',
    values: ['{"b":1,"a":[null,true,"\\u00e4"]}', '"x"', 'null', '1e2'],
    means: asJson,
  },
  { type: 'jsonb', values: ['{"b":1,"a":{"c":[1,2,{"d":"e"}]}}', 'null', '[]'], means: asJson },
  {
    type: 'timestamp with time zone',
    values: ['2024-02-29 23:59:59.123456+00', 'infinity', '-infinity', '0001-01-01 00:00:00+00 BC'],
    means: asTime,
  },
  {
    type: 'timestamp without time zone',
    values: ['2024-02-29 00:00:00', 'infinity'],
    means: asTime,
  },
  texts('date', '2024-02-29', 'infinity', '-infinity', '9999-12-31', '4713-01-01 BC'),
  texts('time without time zone', '00:00:00', '24:00:00', '12:34:56.789'),
  texts('time with time zone', '12:34:56+02'),
  texts('interval', '1 year 2 mons -3 days 04:05:06.789', '-00:00:01', '0'),
  texts('money', '12.5', '-1234567.89'),
  texts(
    'text',
    '',
    'a',
    '\t\n\r\b\f',
    '"\\/',
    "'",
    '\u2028 \ufeff ä 日本 🚀',
    '</script>',
    '\x01\x1f\x7f',
  ),
  texts('character varying(5)', 'abcde', ' x '),
  texts('character(4)', 'ab'),
  texts('name', 'a name'),
  texts('"char"', 'x'),
  texts('bytea', '\\x', '\\x00ff7f80'),
  texts('uuid', '00000000-0000-0000-0000-0000000000ff'),
  texts('inet', '10.0.0.1', '::1/64'),
  texts('cidr', '10.0.0.0/8'),
  texts('macaddr', '08:00:2b:01:02:03'),
  texts('macaddr8', '08:00:2b:01:02:03:04:05'),
  texts('bit(3)', '101'),
  texts('bit varying(5)', '1'),
  texts('point', '(1,2.5)'),
  texts('line', '{1,2,3}'),
  texts('lseg', '[(0,0),(1,1)]'),
  texts('box', '(1,1),(0,0)'),
  texts('path', '((0,0),(1,1))', '[(0,0),(1,1)]'),
  texts('polygon', '((0,0),(1,1),(1,0))'),
  texts('circle', '<(0,0),2>'),
  texts('tsvector', "'fat':2 'cat':3A"),
  texts('tsquery', "'fat' & !'rat'"),
  texts('int4range', '[1,5)', 'empty', '(,)'),
  texts('int8range', '[1,9223372036854775807)'),
  texts('numrange', '(1.50,2]'),
  texts('tsrange', '["2024-01-01 00:00:00",)'),
  texts('tstzrange', '["2024-01-01 00:00:00+00","2024-01-02 00:00:00+00")'),
  texts('daterange', '[2024-01-01,2024-02-01)'),
  texts('int4multirange', '{[1,3),[5,7)}', '{}'),
  texts('pg_lsn', '16/B374D848'),
  texts('xml', '<a b="c">d&amp;e</a>'),
  texts('public.mood', 'calm', 'very "odd", {label}'),
  texts('public.postcode', '01234'),
  { type: 'public.kilo', values: ['1.50', '7'], means: asNumber },
];

beforeAll(async () => {
  const columns = KINDS.map(({ type }, i) => `c${i} ${type}`).join(', ');
  database = await openRestDatabase(
    'types',
    `create type mood as enum ('calm', 'very "odd", {label}');
     create domain postcode as text check (value ~ '^\\d{5}$');
     create domain kilo as numeric;
     create type inner_pair as (a int, b text[]);
     create type outer_pair as (p inner_pair, at timestamptz, n numeric);
     create table kinds (id int primary key, ${columns});
     create table numbers (id int primary key, big bigint, exact numeric, wide double precision, small real);
     create table nested (
       id int primary key, ints int[], grid int[][], words text[], moods mood[], docs jsonb[], raws json[],
       odd int[], pair inner_pair, deep outer_pair, pairs inner_pair[], spans int4range[], bytes bytea[]
     );
     create table texts (id int primary key, body text, doc json, docb jsonb);`,
  );
  for (let row = 0; row < 8; row++) {
    const values = KINDS.map(({ values: given }) => given[row] ?? null);
    const places = values.map((_value, i) => `$${i + 2}`).join(', ');
    await database.client.query(`insert into kinds values ($1, ${places})`, [row, ...values]);
  }
});

afterAll(() => database.close());

describe.each(KINDS.map((kind, i) => ({ ...kind, column: `c${i}` })))('$type', (kind) => {
  const { column, values, means } = kind;
  test('means what the driver reads', async () => {
    // Every value as text, as it travels to the driver.
    const { rows } = await database.client.query({
      text: `select ${column} as v from kinds where id < $1 order by id`,
      values: [values.length],
      rowMode: 'array',
      types: { getTypeParser: () => (text: string | Buffer) => String(text) },
    });
    const body = await database.get('kinds', `select=${column}&id=lt.${values.length}&order=id`);
    const shown: Record<string, unknown>[] = JSON.parse(body);
    expect(shown.map((row) => row[column])).toEqual(rows.map(([text]) => means(text)));
    expect(rows).toHaveLength(values.length);
  });

  test('comes back through a write unchanged', async () => {
    for (const id of values.keys()) {
      const queryString = `select=${column}&id=eq.${id}`;
      const headers = { accept: 'application/vnd.pgrst.object+json' };
      const { body } = await database.run({ table: 'kinds', queryString, headers });
      const write = { table: 'kinds', method: 'PATCH', queryString: `id=eq.${id}`, body } as const;
      await database.run(write);
      expect((await database.run({ table: 'kinds', queryString, headers })).body).toBe(body);
    }
  });
});

describe('numbers keep every digit', () => {
  const one =
    '{"id":1,"big":9223372036854775807,"exact":123456789012345678901234567890.123456789000,"wide":0.1,"small":1e-37}';
  const special =
    '{"id":2,"big":-9223372036854775808,"exact":"NaN","wide":"-Infinity","small":"NaN"}';
  const infinite = '{"id":3,"big":0,"exact":"-Infinity","wide":"Infinity","small":"-Infinity"}';

  test.each([one, special, infinite])('%s', async (row) => {
    await database.run({ table: 'numbers', method: 'POST', body: row });
    const id = /"id":(\d)/.exec(row)?.[1];
    expect(await database.get('numbers', `id=eq.${id}`)).toBe(`[${row}]`);
  });

  test('filters too', async () => {
    const ids = async (filter: string): Promise<string> =>
      database.get('numbers', `select=id&order=id&${filter}`);
    expect(await ids('big=eq.9223372036854775807')).toBe('[{"id":1}]');
    expect(await ids('exact=eq.123456789012345678901234567890.123456789')).toBe('[{"id":1}]');
    expect(await ids('exact=eq.NaN')).toBe('[{"id":2}]');
    expect(await ids('wide=eq.-Infinity')).toBe('[{"id":2}]');
    expect(await ids('wide=in.(Infinity,0.1)')).toBe('[{"id":1},{"id":3}]');
  });
});

test('arrays, composites and what they hold', async () => {
  const row = {
    id: 1,
    ints: [1, null, 3],
    grid: [
      [1, 2],
      [3, 4],
    ],
    words: ['', 'a,b', '"q"', '{x}', 'NULL', null, '\\'],
    moods: ['calm', 'very "odd", {label}'],
    docs: [{ a: [1] }, null],
    raws: [{ b: 'c' }],
    odd: [],
    pair: { a: 1, b: ['x', 'y,z'] },
    deep: { p: { a: null, b: null }, at: '2024-01-01T00:00:00+00:00', n: 1.5 },
    pairs: [{ a: 1, b: null }, null],
    spans: ['[1,5)', 'empty'],
    bytes: ['\\x00', '\\x'],
  };
  await database.run({ table: 'nested', method: 'POST', body: JSON.stringify([row]) });
  expect(JSON.parse(await database.get('nested', ''))).toEqual([row]);
});

describe('texts and documents', () => {
  const deep = `${'['.repeat(500)}1${']'.repeat(500)}`;

  test('JSON of any depth, and numbers in it as they were written', async () => {
    const body = `[{"id":1,"doc":{"deep":${deep},"n":1.10,"n":2},"docb":{"deep":${deep},"n":1.10}}]`;
    await database.run({ table: 'texts', method: 'POST', body });
    const answer = await database.get('texts', 'select=doc,docb&id=eq.1');
    expect(answer).toContain('"n":1.10,"n":2}');
    expect(answer).toContain('"n": 1.10');
    expect(JSON.parse(answer)).toEqual([
      { doc: { deep: JSON.parse(deep), n: 2 }, docb: { deep: JSON.parse(deep), n: 1.1 } },
    ]);
  });

  test('every character of Unicode but NUL', async () => {
    let text = '';
    for (let code = 1; code < 0x11000; code += code < 0x300 ? 1 : 37) {
      if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
    }
    text += '\u{1f680}\u{10ffff}';
    await database.run({
      table: 'texts',
      method: 'POST',
      body: JSON.stringify({ id: 2, body: text, docb: { text } }),
    });
    expect(JSON.parse(await database.get('texts', 'select=body,docb&id=eq.2'))).toEqual([
      { body: text, docb: { text } },
    ]);
    const start = encodeURIComponent(text.slice(0, 900).replaceAll(/[%_\\*]/g, '_'));
    expect(await database.get('texts', `select=id&body=like.${start}*`)).toBe('[{"id":2}]');
  });

  test.each([
    { name: 'NUL in a text', body: '{"id":3,"body":"a\\u0000b"}', code: '22P05' },
    { name: 'NUL in jsonb', body: '{"id":3,"docb":{"a":"\\u0000"}}', code: '22P05' },
    { name: 'half a character', body: '{"id":3,"body":"\\ud800"}', code: '22P02' },
  ])('$name is refused', async ({ body, code }) => {
    const request = database.run({ table: 'texts', method: 'POST', body });
    await expect(request).rejects.toMatchObject({ code });
  });
});
