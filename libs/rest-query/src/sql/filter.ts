import type { Column } from '#libs/catalog';
import {
  COMPARISONS,
  type Comparison,
  type FilterNode,
  type IsKeyword,
  type Test,
} from '../types.js';
import { columnOfTable, type Parameters } from './builder.js';

const IS_TESTS: Readonly<Record<IsKeyword, string>> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
};

/** ` where …`, or nothing without a condition. */
export function whereClause(node: FilterNode<Column>, parameters: Parameters): string {
  if (node.kind === 'and' && node.nodes.length === 0) return '';
  return ` where ${filterSql(node, parameters)}`;
}

function filterSql(node: FilterNode<Column>, parameters: Parameters): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.map((child) => groupSql(child, parameters)).join(` ${node.kind} `);
    case 'not':
      return `not (${filterSql(node.node, parameters)})`;
    case 'condition':
      return testSql(columnOfTable(node.field), node.test, parameters);
  }
}

function groupSql(node: FilterNode<Column>, parameters: Parameters): string {
  const sql = filterSql(node, parameters);
  return node.kind === 'and' || node.kind === 'or' ? `(${sql})` : sql;
}

// Placeholders have no type of their own: PostgreSQL takes the type of the other side, or its array
// type after ANY and ALL. `= any($1)` rather than IN, so that a list of any length, also the empty one,
// is the same statement.
function testSql(column: string, test: Test, parameters: Parameters): string {
  switch (test.kind) {
    case 'is':
      return `${column} ${IS_TESTS[test.keyword]}`;
    case 'in':
      return `${column} = any(${parameters.add({ from: 'operand', slot: test.slot, as: 'list' })})`;
    case 'compare': {
      const as = isPattern(test.operator) ? 'pattern' : 'text';
      const value = parameters.add({ from: 'operand', slot: test.slot, as });
      const operand = test.quantifier ? `${test.quantifier}(${value})` : value;
      return `${column} ${COMPARISONS[test.operator]} ${operand}`;
    }
  }
}

function isPattern(operator: Comparison): boolean {
  return operator === 'like' || operator === 'ilike';
}
