import { MAX_COUNTED } from '../parse/limits.js';
import type { ReadPlan } from '../types/plan.js';
import type { StatementTemplate } from '../types/statement.js';
import { Draft } from './draft.js';
import { explainStatement } from './explain.js';
import { whereClause } from './filter.js';
import { levelSql } from './level.js';
import { rowsSql } from './rows.js';
import { tableSource } from './source.js';
import { answerPage, FEW_ROWS } from './window.js';

/**
 * The statements of a read: the rows first, then those of the count, in the order of `readTotal`. The limit is a
 * literal: with a parameter PostgreSQL plans the statement again each time. Each statement of a transaction sees its
 * own snapshot (READ COMMITTED), so under concurrent writes the total may differ from the rows by what was committed in
 * between.
 */
export function readStatements(plan: ReadPlan): readonly StatementTemplate[] {
  if (plan.explain) return [explainStatement(plan.explain, rowsStatement(plan))];
  const counts = countStatements(plan);
  if (plan.readsRows) return [rowsStatement(plan), ...counts];
  return counts.length > 0 ? counts : [probeStatement(plan)];
}

function rowsStatement(plan: ReadPlan): StatementTemplate {
  const { level, style } = plan.rows;
  return statement('rows', (draft) => {
    const page = answerPage(draft, plan.window);
    const rows = levelSql(draft, level, { ...tableSource(plan.table), page });
    return rowsSql({ style, outputs: level.outputs }, rows);
  });
}

function countStatements(plan: ReadPlan): readonly StatementTemplate[] {
  switch (plan.count) {
    case 'none':
      return [];
    case 'exact':
      return [countStatement(plan, '')];
    case 'bounded':
      return [countStatement(plan, ` limit ${MAX_COUNTED}`)];
    case 'planned':
      return [estimateStatement(plan)];
    case 'estimated':
      return [countStatement(plan, ` limit ${plan.maxRows + 1}`), estimateStatement(plan)];
  }
}

function countStatement(plan: ReadPlan, tail: string): StatementTemplate {
  return statement('text', (draft) =>
    tail === '' && !plan.rows.level.isGrouped
      ? `select pg_catalog.count(*)::pg_catalog.text from ${filteredSource(draft, plan)}`
      : `select pg_catalog.count(*)::pg_catalog.text from (${bareRows(draft, plan)}${tail}) c`,
  );
}

function estimateStatement(plan: ReadPlan): StatementTemplate {
  return statement('text', (draft) => `explain (format json) ${bareRows(draft, plan)}`);
}

// HEAD without a count reads nothing, but rights and values are checked as for GET.
function probeStatement(plan: ReadPlan): StatementTemplate {
  return statement('nothing', (draft) => `${bareRows(draft, plan)} limit 0`);
}

// The rows of the request without its window. Groups are counted as they are returned.
function bareRows(draft: Draft, plan: ReadPlan): string {
  const { level } = plan.rows;
  return level.isGrouped
    ? levelSql(draft, { ...level, order: [] }, { ...tableSource(plan.table), page: FEW_ROWS })
    : `select from ${filteredSource(draft, plan)}`;
}

function filteredSource(draft: Draft, plan: ReadPlan): string {
  const source = tableSource(plan.table);
  return `${source.from}${whereClause(draft, plan.rows.level.where, source)}`;
}

function statement(
  gives: StatementTemplate['gives'],
  write: (draft: Draft) => string,
): StatementTemplate {
  const draft = new Draft();
  return { text: write(draft), parameters: draft.parameters, gives };
}
