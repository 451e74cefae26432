import type { ReadPlan, StatementTemplate } from '../types.js';
import { Parameters, tableName } from './builder.js';
import { whereClause } from './filter.js';
import { rowsSql } from './rows.js';

/**
 * The statements of a read: the rows first, then what the count needs, in the order of `readTotal`.
 * Limit and offset are literals: with parameters PostgreSQL plans the statement anew each time.
 * The statements of one transaction see one snapshot each (READ COMMITTED), so under concurrent writes
 * the total may differ from the rows by what was committed in between.
 */
export function readStatements(plan: ReadPlan): readonly StatementTemplate[] {
  const counts = countStatements(plan);
  if (plan.readsRows) return [rowsStatement(plan), ...counts];
  return counts.length > 0 ? counts : [probeStatement(plan)];
}

function rowsStatement(plan: ReadPlan): StatementTemplate {
  const { offset, limit } = plan.window;
  const tail = ` limit ${limit}${offset > 0 ? ` offset ${offset}` : ''}`;
  return statement(plan, 'rows', (where) =>
    rowsSql(plan.rows, `${tableName(plan.table)} t${where}`, tail),
  );
}

function countStatements(plan: ReadPlan): readonly StatementTemplate[] {
  switch (plan.count) {
    case 'none':
      return [];
    case 'exact':
      return [countStatement(plan, '')];
    case 'planned':
      return [explainStatement(plan)];
    case 'estimated':
      return [countStatement(plan, ` limit ${plan.maxRows + 1}`), explainStatement(plan)];
  }
}

function countStatement(plan: ReadPlan, tail: string): StatementTemplate {
  return statement(plan, 'text', (where) => {
    const source = `${tableName(plan.table)} t${where}`;
    return tail === ''
      ? `select count(*)::text from ${source}`
      : `select count(*)::text from (select from ${source}${tail}) c`;
  });
}

function explainStatement(plan: ReadPlan): StatementTemplate {
  return statement(
    plan,
    'text',
    (where) => `explain (format json) select from ${tableName(plan.table)} t${where}`,
  );
}

// HEAD without a count reads nothing, yet rights and values are checked as for GET.
function probeStatement(plan: ReadPlan): StatementTemplate {
  return statement(
    plan,
    'nothing',
    (where) => `select from ${tableName(plan.table)} t${where} limit 0`,
  );
}

function statement(
  plan: ReadPlan,
  gives: StatementTemplate['gives'],
  text: (where: string) => string,
): StatementTemplate {
  const parameters = new Parameters();
  const where = whereClause(plan.where, parameters);
  return { text: text(where), parameters: parameters.list, gives };
}
