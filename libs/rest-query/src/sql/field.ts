import { quoteIdent } from '#libs/wire';

import type { JsonStep } from '../types/grammar.js';
import type { Field } from '../types/plan.js';
import { builtInOperator, quoteLiteral, routineName } from './quote.js';
import type { Row } from './row.js';

/** The value of a field of `row`: a column, a function of the row, or a value at a JSON path. */
export function fieldSql(row: Row, field: Field): string {
  return row.see(innerSql(row.alias, field));
}

/** The same for operators and orders: JSON is compared as jsonb, because json has no operators. */
export function comparableSql(row: Row, field: Field): string {
  const sql = innerSql(row.alias, field);
  return row.see(field.path.length > 0 && isJson(field) ? `${sql}::pg_catalog.jsonb` : sql);
}

/** Whether the value is of type json, which cannot be compared or grouped by. */
export function isJson({ source, path }: Field): boolean {
  return source.column.valueKind === 'json' && path.at(-1)?.isText !== true;
}

function innerSql(alias: string, { source, path }: Field): string {
  const value =
    source.kind === 'column'
      ? `${alias}.${quoteIdent(source.column.name)}`
      : `${routineName(source.column.routine)}(${alias}.*)`;
  if (path.length === 0) return value;
  const { valueKind } = source.column;
  const root =
    valueKind === 'json' || valueKind === 'jsonb' ? value : `pg_catalog.to_jsonb(${value})`;
  return `(${root}${path.map(stepSql).join('')})`;
}

function stepSql({ kind, key, isText }: JsonStep): string {
  return ` ${builtInOperator(isText ? '->>' : '->')} ${kind === 'index' ? key : quoteLiteral(key)}`;
}
