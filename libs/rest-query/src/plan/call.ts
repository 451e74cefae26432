import { findExposedTable, type Column, type Routine, type Table } from '#libs/catalog';
import { fail } from '#libs/errors';
import { syntaxError } from '../parse/names.js';
import type { CallPlan, CallResult, PlannedArgument, RowStyle } from '../types/plan.js';
import type { CallRequest } from '../types/request.js';
import { checkDefiner, type PlanContext } from './context.js';
import { planLevel } from './level.js';
import { planPage } from './read.js';
import { explainOf, planRepresentation, rowFormatOf } from './representation.js';
import { chooseRoutine, type ChosenRoutine } from './routine-choice.js';

/**
 * Plans a function call. Throws PGRST202, PGRST203, DEFINER_NOT_ALLOWED, PGRST100 for filters on a result without rows,
 * and the errors of `planLevel` for a result with rows.
 */
export function planCall(context: PlanContext, request: CallRequest): CallPlan {
  const chosen = chooseRoutine(context, request);
  const { routine } = chosen;
  checkDefiner(context, routine);
  const { preferences, format } = request;
  const explain = explainOf(format);
  const result = planResult(context, routine, request);
  return {
    kind: 'call',
    routine,
    arguments: planArguments(chosen, request),
    result,
    style: result.kind === 'rows' ? result.rows.style : scalarStyle(request),
    isReadOnly: request.isReadOnly || routine.volatility !== 'volatile',
    readsRows: request.readsRows,
    isMinimal: preferences.returns === 'minimal' || preferences.returns === 'headers-only',
    window: planPage(context.limits, request.window),
    count: explain ? 'none' : preferences.count,
    isDryRun: preferences.isDryRun,
    maxAffected: preferences.maxAffected,
    explain,
  };
}

// If a name is repeated, its last value counts.
function planArguments(
  { routine, takes }: ChosenRoutine,
  { arguments: given }: CallRequest,
): readonly PlannedArgument[] {
  return routine.args.flatMap((argument): readonly PlannedArgument[] => {
    if (takes === 'whole') return [{ argument, value: { from: 'body' } }];
    if (given.kind === 'object') {
      const isGiven = argument.name !== undefined && given.keys.includes(argument.name);
      return isGiven ? [{ argument, value: { from: 'key' } }] : [];
    }
    const texts = given.kind === 'named' ? given.values : [];
    const last = texts.findLast(({ name }) => name === argument.name);
    return last ? [{ argument, value: { from: 'query', text: last.value } }] : [];
  });
}

function planResult(
  context: PlanContext,
  { name, returns }: Routine,
  request: CallRequest,
): CallResult {
  if (returns.kind === 'rows') {
    const table =
      returns.table === undefined
        ? rowsOf(name, returns.columns)
        : findExposedTable(context.catalog, returns.table);
    const rows = planRepresentation(planLevel(context, table, request), request.format);
    return { kind: 'rows', isSet: returns.isSet, rows };
  }
  refuseClauses(request);
  if (returns.kind === 'void') return { kind: 'void' };
  const { isSet, type, baseType, elementType, valueKind } = returns;
  return { kind: 'scalar', isSet, value: { type, baseType, elementType, valueKind } };
}

// Rows that belong to no table are planned like those of a table without keys.
function rowsOf(name: string, columns: readonly Column[]): Table {
  return {
    schema: 'public',
    name,
    kind: 'table',
    hasRls: false,
    columns,
    columnByName: new Map(columns.map((column) => [column.name, column])),
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    temporalKeys: [],
    computedColumns: new Map(),
    computedRelations: [],
  };
}

function refuseClauses({ select, where, order, embedded }: CallRequest): void {
  const refuse = (what: string) =>
    syntaxError(`${what} has no meaning for a function that does not return rows`);
  if (select.some(({ kind }) => kind !== 'all')) throw refuse('select');
  if (where.kind !== 'and' || where.nodes.length > 0) throw refuse('a filter');
  if (order.length > 0) throw refuse('order');
  if (embedded.length > 0) throw refuse('a clause of an embed');
}

function scalarStyle({ format }: CallRequest): RowStyle {
  const rows = rowFormatOf(format);
  if (rows.kind !== 'geojson') return rows;
  throw fail('PGRST107', {
    types: 'application/geo+json',
    reason: 'the function does not return rows',
  });
}
