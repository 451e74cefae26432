import type { Table } from '#libs/catalog';
import type { Window } from '../types/grammar.js';
import type { CountRule, Level, ReadPlan } from '../types/plan.js';
import type { ReadRequest } from '../types/request.js';
import type { Limits, PlanContext } from './context.js';
import { estimateRevealsHiddenRows } from './hidden-rows.js';
import { planLevel } from './level.js';
import { pageSize } from './page-size.js';
import { explainOf, planRepresentation } from './representation.js';

/** Plans GET and HEAD. Throws the errors of {@link planLevel}, and PGRST107. */
export function planRead(context: PlanContext, table: Table, request: ReadRequest): ReadPlan {
  const { format } = request;
  const explain = explainOf(format);
  const level = planLevel(context, table, request);
  return {
    kind: 'read',
    table,
    rows: planRepresentation(level, format),
    readsRows: request.readsRows,
    window: planPage(context.limits, request.window),
    count: explain ? 'none' : countRule(request, table, level),
    maxRows: context.limits.maxRows,
    explain,
  };
}

function countRule(
  { preferences: { count }, seesAllRows }: ReadRequest,
  table: Table,
  level: Level,
): CountRule {
  const isEstimate = count === 'planned' || count === 'estimated';
  return isEstimate && !seesAllRows && estimateRevealsHiddenRows(table, level) ? 'bounded' : count;
}

/** The rows of one answer: `maxRows` is both the default and the maximum of `limit`. */
export function planPage(
  limits: Limits,
  window: Window,
): { readonly hasOffset: boolean; readonly limit: number } {
  return { hasOffset: window.offset > 0, limit: pageSize(limits, window) };
}
