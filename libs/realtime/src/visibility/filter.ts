// Filters of bindings as SQL. Literals have no type of their own: PostgreSQL gives them the type of the column.
import { CHANGE_COMPARISONS, type ChangeFilter, type ChangeTest } from '#libs/realtime-core';
import { IS_TESTS } from '#libs/rest-query';
import { quoteIdent } from '#libs/wire';

/** The condition of a filter on the row `alias`, which is quoted. */
export function filterSql(filter: ChangeFilter, alias: string): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.map((node) => `(${filterSql(node, alias)})`).join(` ${filter.kind} `);
    case 'not':
      return `not (${filterSql(filter.node, alias)})`;
    case 'leaf':
      return `${alias}.${quoteIdent(filter.leaf.column)} ${rightSide(filter.leaf)}`;
  }
}

/** The columns that a filter reads. */
export function columnsOf(filter: ChangeFilter): readonly string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.nodes.flatMap(columnsOf);
    case 'not':
      return columnsOf(filter.node);
    case 'leaf':
      return [filter.leaf.column];
  }
}

function rightSide(test: ChangeTest): string {
  switch (test.kind) {
    case 'in':
      return `= any (${quoteText(`{${test.values.map(arrayElement).join(',')}}`)})`;
    case 'is':
      return IS_TESTS[test.keyword];
    case 'compare':
      return `${CHANGE_COMPARISONS[test.operator]} ${quoteText(test.value)}`;
  }
}

const arrayElement = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** A literal where `standard_conforming_strings` is on, as in every session of a project. */
export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
