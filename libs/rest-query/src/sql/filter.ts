import { COMPARISONS, IS_TESTS, type Test, TEXT_SEARCHES } from '../types/grammar.js';
import type { EmbedPlan, Field, Filter, PlannedCondition } from '../types/plan.js';
import { resultOfType } from './batch-result.js';
import type { Draft } from './draft.js';
import { comparableSql, fieldSql } from './field.js';
import { builtInOperator, quoteLiteral } from './quote.js';
import type { Row } from './row.js';
import { relatedSource, type Source } from './source.js';

/** ` where …`: what makes the rows those of the source, and the filter; nothing without a condition. */
export function whereClause(
  draft: Draft,
  filter: Filter,
  { row, conditions }: Pick<Source, 'row' | 'conditions'>,
): string {
  const nodes = filter.kind === 'and' ? filter.nodes : [filter];
  const all = [...conditions, ...nodes.map((node) => groupSql(draft, node, row))];
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`;
}

function filterSql(draft: Draft, filter: Filter, row: Row): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.map((node) => groupSql(draft, node, row)).join(` ${filter.kind} `);
    case 'not':
      return `not (${filterSql(draft, filter.node, row)})`;
    case 'leaf':
      return conditionSql(draft, filter.leaf, row);
  }
}

function groupSql(draft: Draft, filter: Filter, row: Row): string {
  const sql = filterSql(draft, filter, row);
  return filter.kind === 'and' || filter.kind === 'or' ? `(${sql})` : sql;
}

function conditionSql(draft: Draft, condition: PlannedCondition, row: Row): string {
  switch (condition.kind) {
    case 'test':
      return testSql(draft, condition, row);
    case 'related':
      return existsSql(draft, condition.embed, row);
  }
}

// Only a part of the window that may leave no row matters.
function existsSql(draft: Draft, { relationship, level, window }: EmbedPlan, parent: Row): string {
  const source = relatedSource(draft, relationship, parent);
  const limit = window.limit === 0 ? ' limit 0' : '';
  const offset = window.offset > 0 ? ` offset ${window.offset}` : '';
  const where = whereClause(draft, level.where, source);
  return `exists (select from ${source.from}${where}${limit}${offset})`;
}

// Placeholders have no type of their own: PostgreSQL takes the type of the other side, or its array
// type after ANY and ALL. `= any($1)` rather than IN, so that a list of any length, also the empty one,
// is the same statement.
function testSql(
  draft: Draft,
  { field, test }: { readonly field: Field; readonly test: Test },
  row: Row,
): string {
  const value = comparableSql(row, field);
  switch (test.kind) {
    case 'is':
      return `${value} ${IS_TESTS[test.keyword]}`;
    case 'in':
      return `${value} = any(${draft.value({ from: 'operand', slot: test.slot, as: 'list' })})`;
    case 'compare': {
      const { sql, isPattern } = COMPARISONS[test.operator];
      const as = isPattern ? 'pattern' : 'text';
      const operand = draft.value({ from: 'operand', slot: test.slot, as });
      const right = test.quantifier ? `${test.quantifier}(${operand})` : operand;
      return `${value} ${sql} ${right}`;
    }
    case 'search':
      return searchSql(draft, field, test, row);
    case 'equals-result':
      return `${value} = ${resultOfType(test.reference, field.source.column.type)}`;
  }
}

function searchSql(
  draft: Draft,
  field: Field,
  test: Extract<Test, { kind: 'search' }>,
  row: Row,
): string {
  const config = test.config === undefined ? '' : `${quoteLiteral(test.config)}, `;
  const value = fieldSql(row, field);
  const isVector = field.source.column.valueKind === 'tsvector' && field.path.length === 0;
  const document = isVector ? value : `pg_catalog.to_tsvector(${config}${value})`;
  const operand = draft.value({ from: 'operand', slot: test.slot, as: 'text' });
  const query = `pg_catalog.${TEXT_SEARCHES[test.operator]}(${config}${operand})`;
  return `${document} ${builtInOperator('@@')} ${query}`;
}
