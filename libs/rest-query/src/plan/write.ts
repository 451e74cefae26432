import type { Column, Table } from '#libs/catalog';
import type {
  ConflictRule,
  DeletePlan,
  DeleteRequest,
  InsertPlan,
  InsertRequest,
  Returning,
  UpdatePlan,
  UpdateRequest,
  WriteChecks,
  WriteColumn,
  WritePlan,
} from '../types.js';
import { planRepresentation, resolveFilter, resolveNames } from './columns.js';

type WriteRequest = InsertRequest | UpdateRequest | DeleteRequest;

/** The plan of POST. Throws PGRST204. */
export function planInsert(table: Table, request: InsertRequest): InsertPlan {
  return {
    kind: 'insert',
    columns: planInsertColumns(table, request),
    conflict: planConflict(table, request),
    ...planAnswer(table, request),
  };
}

/** The plan of PATCH. Throws PGRST204. */
export function planUpdate(table: Table, request: UpdateRequest): UpdatePlan {
  const { body, columns, preferences } = request;
  const given = new Set(body.keys);
  const fallback = preferences.missing === 'default' ? 'default' : 'body';
  const named = resolveNames(table, columns ?? body.keys);
  // `{}` and `[]` change nothing, also when `columns` names what they might have changed.
  const isEmpty = given.size === 0 && (body.kind === 'array' || fallback === 'body');
  return {
    kind: 'update',
    columns: isEmpty
      ? []
      : named.map((column) => ({ column, source: given.has(column.name) ? 'body' : fallback })),
    where: resolveFilter(table, request.where),
    ...planAnswer(table, request),
  };
}

/** The plan of DELETE. Throws PGRST204. */
export function planDelete(table: Table, request: DeleteRequest): DeletePlan {
  return {
    kind: 'delete',
    where: resolveFilter(table, request.where),
    ...planAnswer(table, request),
  };
}

// Keys that no row has are left out with `missing=default`: then PostgreSQL itself applies the default.
function planInsertColumns(table: Table, request: InsertRequest): readonly WriteColumn[] {
  const { body, columns, preferences } = request;
  const named = resolveNames(table, columns ?? body.keys);
  if (preferences.missing === 'null') return named.map((column) => ({ column, source: 'body' }));
  const given = new Set(body.keys);
  return named
    .filter((column) => given.has(column.name))
    .map((column) => ({
      column,
      source: body.isUniform || !hasInlineDefault(column) ? 'body' : 'body-or-default',
    }));
}

function hasInlineDefault(column: Column): boolean {
  return column.default.kind === 'expression' || column.default.kind === 'identity';
}

// Without a primary key no row can meet another one, so an upsert without a target is an insert.
function planConflict(table: Table, request: InsertRequest): ConflictRule {
  const { resolution } = request.preferences;
  if (resolution === undefined) return { kind: 'refuse' };
  const target = resolveNames(table, request.onConflict ?? table.primaryKey);
  if (resolution === 'ignore-duplicates') return { kind: 'ignore', target };
  return target.length === 0 ? { kind: 'refuse' } : { kind: 'merge', target };
}

function planAnswer(
  table: Table,
  request: WriteRequest,
): Pick<WritePlan, 'table' | 'returning' | 'checks' | 'showsTotal'> {
  const { preferences, format } = request;
  const checks: WriteChecks = {
    isSingle: format.kind === 'object',
    maxAffected: preferences.maxAffected,
    isDryRun: preferences.isDryRun,
  };
  return {
    table,
    returning: planReturning(table, request),
    checks,
    showsTotal: preferences.count !== 'none',
  };
}

// The rows are resolved even when they are not wanted, so that a wrong name is refused either way.
function planReturning(table: Table, request: WriteRequest): Returning {
  const rows = planRepresentation(table, request);
  if (request.preferences.returns === 'representation') return { kind: 'rows', rows };
  const showsKey =
    request.kind === 'insert' &&
    request.preferences.returns === 'headers-only' &&
    request.body.kind === 'object' &&
    table.primaryKey.length > 0;
  return showsKey
    ? { kind: 'key', columns: resolveNames(table, table.primaryKey) }
    : { kind: 'nothing' };
}
