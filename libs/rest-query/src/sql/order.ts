import type { Field, Level, OrderValue, Output } from '../types/plan.js';
import type { Draft } from './draft.js';
import { comparableSql, isJson } from './field.js';
import { whereClause } from './filter.js';
import { quoteIdent } from './quote.js';
import { type Row, sourceRow } from './row.js';
import { relatedSource } from './source.js';

/** One term of ORDER BY: what to compare, and ` desc nulls last`. */
export interface OrderSql {
  readonly value: string;
  /** The value is the name of an output, and no expression over the row. */
  readonly isOutput: boolean;
  readonly direction: string;
}

/** The terms of the order of a level over its row, as they stand where its source is. */
export function orderTerms(draft: Draft, level: Level, row: Row): readonly OrderSql[] {
  return level.order.map(({ value, isDescending, nulls }) => {
    const output = level.isGrouped ? outputOf(value, level) : undefined;
    return {
      value: output ? quoteIdent(output.name) : valueSql(draft, value, row),
      isOutput: output !== undefined,
      direction: (isDescending ? ' desc' : '') + (nulls ? ` nulls ${nulls}` : ''),
    };
  });
}

// Rows grouped by a spread column have no other value of that relation to be ordered by.
function outputOf(value: OrderValue, { outputs }: Level): Output | undefined {
  if (value.kind !== 'related' || isJson(value.field)) return undefined;
  return outputs.find(
    (output) =>
      output.kind === 'spread' &&
      output.embed === value.embed &&
      output.aggregation === undefined &&
      value.embed.level.outputs.some(
        (inner) => inner.name === output.column && showsField(inner, value.field),
      ),
  );
}

function showsField(output: Output, field: Field): boolean {
  if (output.kind !== 'value' || output.cast !== undefined) return false;
  const row = sourceRow('t');
  return comparableSql(row, output.field) === comparableSql(row, field);
}

function valueSql(draft: Draft, value: OrderValue, row: Row): string {
  if (value.kind === 'field') return comparableSql(row, value.field);
  const { relationship, level } = value.embed;
  const source = relatedSource(draft, relationship, row);
  const where = whereClause(draft, level.where, source);
  const related = comparableSql(source.row, value.field);
  // A function that leads to one row may still give more of them.
  const limit = relationship.kind === 'computed' ? ' limit 1' : '';
  return `(select ${related} from ${source.from}${where}${limit})`;
}

/** ` order by …`, or nothing. `see` says how an expression is written where the clause stands. */
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
