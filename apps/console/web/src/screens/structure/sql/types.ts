// Types that the list of a column's type offers; any other can be typed.
import { qualified } from '../../../sql/quote.js';
import type { EnumType } from '../../project/schema.js';

const BUILT_IN = [
  'text',
  'bigint',
  'integer',
  'smallint',
  'numeric',
  'numeric(10,2)',
  'double precision',
  'real',
  'boolean',
  'uuid',
  'timestamp with time zone',
  'date',
  'time without time zone',
  'interval',
  'jsonb',
  'character varying(255)',
  'text[]',
  'bigint[]',
  'bytea',
  'inet',
  'tsvector',
  'int4range',
  'tstzrange',
] as const;

/** The names of types, those of the project first. */
export function typeNames(enums: readonly EnumType[]): readonly string[] {
  const own = enums.map((type) => qualified(type));
  return [...own, ...BUILT_IN];
}
