import { describe, expect, test } from 'vitest';

import { valueType } from '../tests/sample.js';
import { defaultFacts } from './column-default.js';
import { nullable, valueSchema } from './value-schema.js';

const enums = new Map([['public.mood', ['calm', 'it"s']]]);

describe('a type of PostgreSQL is a schema', () => {
  test.each([
    { type: 'smallint', schema: { type: 'integer', minimum: -32768, maximum: 32767 } },
    { type: 'integer', schema: { type: 'integer', format: 'int32' } },
    { type: 'bigint', schema: { type: 'integer', format: 'int64' } },
    { type: 'numeric(10,2)', schema: { type: 'number' } },
    { type: 'boolean', schema: { type: 'boolean' } },
    { type: 'uuid', schema: { type: 'string', format: 'uuid' } },
    { type: 'date', schema: { type: 'string', format: 'date' } },
    {
      type: 'timestamp(3) with time zone',
      baseType: 'timestamp with time zone',
      schema: { type: 'string', format: 'date-time' },
    },
    { type: 'character varying(20)', schema: { type: 'string', maxLength: 20 } },
    { type: 'character(3)', baseType: 'bpchar', schema: { type: 'string', maxLength: 3 } },
    { type: 'public.kilo', baseType: 'numeric', schema: { type: 'number' } },
    { type: 'public.mood', schema: { type: 'string', enum: ['calm', 'it"s'] } },
    {
      type: 'public.mood[]',
      schema: { type: 'array', items: { type: 'string', enum: ['calm', 'it"s'] } },
    },
    {
      type: 'character varying(5)[]',
      schema: { type: 'array', items: { type: 'string', maxLength: 5 } },
    },
    { type: 'extensions.hstore', schema: { type: 'object' } },
    { type: 'constructor', schema: { type: 'string' } },
    { type: 'money', schema: { type: 'string' } },
  ])('$type', ({ type, baseType, schema }) => {
    const value = valueType(type, baseType === undefined ? {} : { baseType });
    expect(valueSchema(value, enums)).toMatchObject(schema);
  });

  test.each([
    { kind: 'composite', schema: { type: 'object' } },
    { kind: 'geometry', schema: { type: 'object' } },
  ] as const)('values of kind $kind are objects', ({ kind, schema }) => {
    expect(valueSchema(valueType('public.thing', { kind }), enums)).toMatchObject(schema);
  });

  test('a timestamp without a time zone promises no format that it does not keep', () => {
    expect(valueSchema(valueType('timestamp without time zone'), enums).format).toBeUndefined();
  });

  test('any JSON has no type, so that null needs no mention', () => {
    const schema = valueSchema(valueType('jsonb', { kind: 'jsonb' }), enums);
    expect(schema.type).toBeUndefined();
    expect(nullable(schema)).toBe(schema);
  });

  test('null is a type of its own, and one more label of an enum', () => {
    expect(nullable({ type: 'integer' })).toEqual({ type: ['integer', 'null'] });
    expect(nullable({ type: 'string', enum: ['a'] })).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
  });
});

describe('a default is a value where it is constant, else words', () => {
  test.each([
    { sql: '5', schema: { type: 'integer' }, facts: { default: 5 } },
    { sql: "'-5'::integer", schema: { type: 'integer' }, facts: { default: -5 } },
    { sql: '1.50', schema: { type: 'number' }, facts: { note: 'Default: `1.50`.' } },
    {
      sql: "'9007199254740993'::bigint",
      schema: { type: 'integer' },
      facts: { note: "Default: `'9007199254740993'::bigint`." },
    },
    { sql: 'true', schema: { type: 'boolean' }, facts: { default: true } },
    {
      sql: "'it''s'::character varying(9)",
      schema: { type: 'string' },
      facts: { default: "it's" },
    },
    { sql: "'calm'::public.mood", schema: { type: 'string' }, facts: { default: 'calm' } },
    { sql: "'{}'::jsonb", schema: {}, facts: { default: {} } },
    { sql: "'{}'::text[]", schema: { type: 'array' }, facts: { default: [] } },
    { sql: 'now()', schema: { type: 'string' }, facts: { note: 'Default: `now()`.' } },
    {
      sql: "('a'::text || 'b'::text)",
      schema: { type: 'string' },
      facts: { note: "Default: `('a'::text || 'b'::text)`." },
    },
    { sql: 'NULL::text', schema: { type: 'string' }, facts: {} },
  ] as const)('$sql', ({ sql, schema, facts }) => {
    expect(defaultFacts({ kind: 'expression', sql }, schema)).toEqual(facts);
  });
});
