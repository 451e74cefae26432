import { describe, expect, test } from 'vitest';

import { arrayOfItems, itemsOfArray } from './arrays.js';
import { bytesOfHex, hexOfBytes } from './bytes.js';
import { readRange, textOfRange } from './ranges.js';
import { kindOf, problemOfText, valueOfInput } from './value-kinds.js';

const of = (type: string, enumValues: string[] | null = null) => ({
  type,
  baseType: type.replace(/\(.*\)/, ''),
  enumValues,
});

test.each([
  { type: 'character varying(20)', kind: 'text' },
  { type: 'numeric(6,2)', kind: 'number' },
  { type: 'bigint', kind: 'integer' },
  { type: 'text[]', kind: 'array' },
  { type: 'jsonb', kind: 'json' },
  { type: 'tstzrange', kind: 'range' },
  { type: 'timestamp with time zone', kind: 'timestamptz' },
  { type: 'interval', kind: 'other' },
  { type: 'public.citext', kind: 'text' },
])('$type is edited as $kind', ({ type, kind }) => {
  expect(kindOf(of(type))).toBe(kind);
});

test('an enum is one by its values, and an array of it is an array', () => {
  expect(kindOf(of('public.mood', ['calm']))).toBe('enum');
  expect(kindOf(of('public.mood[]', ['calm']))).toBe('array');
});

describe('a text is accepted', () => {
  test.each([
    ['bigint', '9223372036854775807'],
    ['numeric', '12345678901234567890.123456789'],
    ['numeric', 'NaN'],
    ['double precision', '1e-300'],
    ['timestamp with time zone', '2026-01-02 03:04:05.123456+00'],
    ['timestamp with time zone', '2026-01-02T03:04:05Z'],
    ['timestamp with time zone', '2026-01-02 03:04 Europe/Berlin'],
    ['timestamp with time zone', 'infinity'],
    ['timestamp without time zone', '2026-01-02 03:04:05'],
    ['date', '0044-03-15 BC'],
    ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'],
    ['bytea', String.raw`\x00ff`],
    ['json', '{"b":1,"a":12345678901234567890}'],
    ['integer[]', '{1,NULL}'],
    ['int4range', '[1,)'],
    ['interval', 'whatever PostgreSQL reads'],
  ])('%s: %s', (type, text) => {
    expect(problemOfText(of(type), text)).toBeUndefined();
  });
});

describe('a text is refused', () => {
  test.each([
    ['bigint', '9223372036854775808'],
    ['smallint', '-32769'],
    ['integer', '1.5'],
    ['numeric', '1,5'],
    ['timestamp with time zone', '2026-01-02 03:04:05'],
    ['date', '2.1.2026'],
    ['uuid', 'a0eebc99'],
    ['bytea', String.raw`\x0`],
    ['json', '{a:1}'],
    ['integer[]', '1,2'],
    ['int4range', '1-2'],
    ['boolean', 'maybe'],
  ])('%s: %s', (type, text) => {
    expect(problemOfText(of(type), text)).toBeDefined();
  });

  test('that is no value of the enum', () => {
    expect(problemOfText(of('public.mood', ['calm']), 'wild')).toBeDefined();
  });
});

test('an emptied field is an empty text where the type has one, and NULL elsewhere', () => {
  expect(valueOfInput('text', '')).toBe('');
  expect(valueOfInput('integer', '')).toBeNull();
});

describe('an array', () => {
  test.each([
    { text: '{}', items: [] },
    { text: '{1,2}', items: ['1', '2'] },
    { text: '{NULL,"NULL",""}', items: [null, 'NULL', ''] },
    { text: String.raw`{"a,b","c\"d","e\\f","{g}"}`, items: ['a,b', 'c"d', 'e\\f', '{g}'] },
    { text: '{" lead","two words"}', items: [' lead', 'two words'] },
  ])('$text is read and written again', ({ text, items }) => {
    expect(itemsOfArray(text)).toEqual(items);
    expect(arrayOfItems(items)).toBe(text);
  });

  test.each(['{{1,2},{3,4}}', '[0:1]={1,2}', '1,2', '{"open}'])(
    '%s has no list of items',
    (text) => {
      expect(itemsOfArray(text)).toBeUndefined();
    },
  );
});

describe('a range', () => {
  test.each([
    '[1,5)',
    '(,)',
    'empty',
    '["2026-01-01 00:00:00+00",)',
    '(,"2026-01-01 00:00:00+00"]',
    String.raw`["a\"b","c\\d"]`,
  ])('%s is read and written again', (text) => {
    const range = readRange(text);
    expect(range && textOfRange(range)).toBe(text);
  });

  test('a doubled quote is one quote', () => {
    expect(readRange('["a""b",c)')).toMatchObject({ lower: 'a"b', upper: 'c' });
  });

  test.each(['1,5', '[1,5', '[1,2,3)'])('%s is none', (text) => {
    expect(readRange(text)).toBeUndefined();
  });
});

test('bytes are the same after they were read and written', () => {
  expect([...(bytesOfHex(String.raw`\x00ff10`) ?? [])]).toEqual([0, 255, 16]);
  expect(hexOfBytes(new Uint8Array([0, 255, 16]))).toBe(String.raw`\x00ff10`);
  expect(bytesOfHex(String.raw`\x0`)).toBeUndefined();
});
