import { quoteIdent } from '#libs/wire';

import type { Level, OrderValue } from '../types/plan.js';
import type { Draft } from './draft.js';
import { comparableSql } from './field.js';
import { whereClause } from './filter.js';
import type { Row } from './row.js';
import { relatedSource } from './source.js';

/** One term of ORDER BY: the expression, and ` desc nulls last`. */
export interface OrderSql {
  readonly value: string;
  /** The value is the name of an output, not an expression over the row. */
  readonly isOutput: boolean;
  readonly direction: string;
}

/** The terms of the order of a level over its row, as written beside its source. */
export function orderTerms(draft: Draft, level: Level, row: Row): readonly OrderSql[] {
  return level.order.map(({ value, isDescending, nulls }) => ({
    value: valueSql(draft, value, row),
    isOutput: value.kind === 'output',
    direction: (isDescending ? ' desc' : '') + (nulls ? ` nulls ${nulls}` : ''),
  }));
}

function valueSql(draft: Draft, value: OrderValue, row: Row): string {
  if (value.kind === 'output') return quoteIdent(value.name);
  if (value.kind === 'field') return comparableSql(row, value.field);
  const { relationship, level } = value.embed;
  const source = relatedSource(draft, relationship, row);
  const where = whereClause(draft, level.where, source);
  const related = comparableSql(source.row, value.field);
  // A function that leads to one row may still return more.
  const limit = relationship.kind === 'computed' ? ' limit 1' : '';
  return `(select ${related} from ${source.from}${where}${limit})`;
}

/** ` order by …`, or nothing. `see` says how an expression is written at the place of the clause. */
export function orderClause(
  terms: readonly OrderSql[],
  see: (sql: string) => string = (sql) => sql,
): string {
  if (terms.length === 0) return '';
  const list = terms.map(
    ({ value, isOutput, direction }) => (isOutput ? value : see(value)) + direction,
  );
  return ` order by ${list.join(', ')}`;
}
