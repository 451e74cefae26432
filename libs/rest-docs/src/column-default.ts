import type { ColumnDefault } from '#libs/catalog';

import { asCode } from './names.js';
import type { Schema } from './openapi.js';

/** The value of a column that a write omits: as a JSON value, or in words if it is not one. */
export interface DefaultFacts {
  readonly default?: unknown;
  readonly note?: string;
}

const numberPattern = /^-?\d+(?:\.\d+)?$/;
const literalPattern = /^'((?:[^']|'')*)'::[\w ."[\](),]+$/;
const emptyValues: Readonly<Record<string, unknown>> = { '{}': {}, '[]': [] };

/** The default of a column whose values have `schema`. */
export function defaultFacts(from: ColumnDefault, schema: Schema): DefaultFacts {
  switch (from.kind) {
    case 'none':
      return {};
    case 'identity':
      return { note: 'Numbered by the database.' };
    case 'generated':
      return { note: 'Computed by the database from other columns.' };
    case 'expression': {
      const value = literalValue(from.sql, schema);
      if (value !== undefined) return { default: value };
      return from.sql.startsWith('NULL::') ? {} : { note: `Default: ${asCode(from.sql)}.` };
    }
  }
}

/** The value of an expression that is a constant; undefined for an expression that must be computed. */
function literalValue(sql: string, schema: Schema): unknown {
  if (sql === 'true' || sql === 'false') return sql === 'true';
  const quoted = literalPattern.exec(sql)?.[1]?.replaceAll("''", "'");
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(quoted ?? sql);
  if (schema.type === 'string' || quoted === undefined) return quoted;
  // A schema without a type is any JSON.
  if (schema.type === undefined) return emptyValues[quoted];
  return schema.type === 'array' && quoted === '{}' ? [] : undefined;
}

/** Numbers that JSON would round stay words. */
function numberOf(digits: string): number | undefined {
  const value = Number(digits);
  return numberPattern.test(digits) && String(value) === digits ? value : undefined;
}
