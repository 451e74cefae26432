// The types of random columns and arguments, and values that they take.
import type { Dice } from './dice.js';
import { ident } from './sql-text.js';

/** A type that a schema may use, and texts that are values of it. */
export interface KnownType {
  readonly sql: string;
  readonly samples: readonly string[];
}

const BUILT_IN: readonly KnownType[] = [
  { sql: 'integer', samples: ['1', '0', '-7'] },
  { sql: 'text', samples: ['a', '', 'it is "so", \\ (yes)', '{}', '日本'] },
  { sql: 'bigint', samples: ['9007199254740993', '2'] },
  { sql: 'boolean', samples: ['true', 'f'] },
  { sql: 'jsonb', samples: ['{"a": {"b": [1, null]}}', '[1, 2]', '"a"', 'null', '5'] },
  { sql: 'json', samples: ['{"a": {"b": [1, null]}}', '[]', 'true'] },
  { sql: 'timestamp with time zone', samples: ['2024-02-29T12:00:00Z', 'infinity'] },
  { sql: 'numeric(10,2)', samples: ['1.5', 'NaN'] },
  { sql: 'double precision', samples: ['1e10', 'Infinity'] },
  { sql: 'character varying(20)', samples: ['a', 'b*c'] },
  { sql: 'character(3)', samples: ['abc'] },
  { sql: 'uuid', samples: ['6f1b4b1e-6a7b-4d6e-8f5e-0d6c1b2a3f4e'] },
  { sql: 'date', samples: ['2024-02-29', '4713-01-01 BC'] },
  { sql: 'interval', samples: ['1 day', '-00:00:01'] },
  { sql: 'time without time zone', samples: ['12:00'] },
  { sql: 'bytea', samples: ['\\x00ff'] },
  { sql: 'integer[]', samples: ['{1,2}', '{}', '{NULL}'] },
  { sql: 'text[]', samples: ['{a,"b,c"}', '{"{}"}'] },
  { sql: 'jsonb[]', samples: ['{"{\\"a\\": 1}"}'] },
  { sql: 'int4range', samples: ['[1,5)', 'empty'] },
  { sql: 'tstzrange', samples: ['[2024-01-01,2024-02-01)'] },
  { sql: 'tsvector', samples: ["'fat':1 'rat':2"] },
  { sql: 'point', samples: ['(1,2)'] },
  { sql: 'inet', samples: ['127.0.0.1/8'] },
  { sql: 'money', samples: ['1.50'] },
  { sql: 'bit(3)', samples: ['101'] },
  { sql: '"char"', samples: ['c'] },
  { sql: 'xml', samples: ['<a/>'] },
  { sql: 'oid', samples: ['1'] },
  { sql: 'name', samples: ['a'] },
];

/** Types that a schema makes for itself, and the statements that make them. */
export function ownTypes(nextName: () => string): {
  readonly types: readonly KnownType[];
  readonly statements: readonly string[];
} {
  const [mood, pair, ...domains] = Array.from({ length: 6 }, () => `public.${ident(nextName())}`);
  const bases = ['integer check (value > 0)', 'text[]', 'tsvector', pair ?? ''];
  const samples = [['1', '-1'], ['{a}'], ['fat'], ['(1,b)']];
  return {
    types: [
      { sql: mood ?? '', samples: ['sad', "it's ok", 'no such mood'] },
      { sql: pair ?? '', samples: ['(1,"a b")', '(,)'] },
      ...domains.map((sql, i) => ({ sql, samples: samples[i] ?? [] })),
    ],
    statements: [
      `create type ${mood} as enum ('sad', 'it''s ok', '"quoted"')`,
      `create type ${pair} as (${ident(nextName())} integer, ${ident(nextName())} text)`,
      ...domains.map((domain, i) => `create domain ${domain} as ${bases[i]}`),
    ],
  };
}

/** A type, more often one of those that most columns have. */
export function pickType(dice: Dice, own: readonly KnownType[]): KnownType {
  if (dice.chance(20)) return dice.pick(own);
  return dice.pick(dice.chance(50) ? BUILT_IN : BUILT_IN.slice(0, 6));
}

/** Texts that are values of a type; those of every type where the type is not known. */
export function samplesOf(type: string): readonly string[] {
  return BUILT_IN.find(({ sql }) => sql === type)?.samples ?? ['a', '1', '(1,"a b")', '{1}', 'sad'];
}
