import type { Column, Table } from '#libs/catalog';
import { fail } from '#libs/errors';
import type { BatchPlace, BodyReference } from '../types/grammar.js';
import type {
  ConflictRule,
  DeletePlan,
  Filter,
  InsertPlan,
  Level,
  Returning,
  UpdatePlan,
  WriteChecks,
  WriteColumn,
  WritePlan,
} from '../types/plan.js';
import type {
  DeleteRequest,
  InsertRequest,
  UpdateRequest,
  WriteRequest,
} from '../types/request.js';
import { getColumn, resolveNames } from './columns.js';
import type { PlanContext, Scope } from './context.js';
import { both, innerJoins, resolveFilter } from './filter.js';
import { planLevel, planScope, planShown } from './level.js';
import { explainOf, planRepresentation } from './representation.js';

/** Plans POST. Throws the errors of `planLevel` for the returned rows. */
export function planInsert(context: PlanContext, table: Table, request: InsertRequest): InsertPlan {
  return {
    kind: 'insert',
    columns: planInsertColumns(table, request),
    conflict: planConflict(table, request),
    references: resolveReferences(table, request.place),
    ...planAnswer(table, request, planLevel(context, table, request)),
  };
}

/** Plans PATCH. Throws the errors of `planLevel`. */
export function planUpdate(context: PlanContext, table: Table, request: UpdateRequest): UpdatePlan {
  const { body, columns, preferences } = request;
  const given = new Set(body.keys);
  const fallback = preferences.missing === 'default' ? 'default' : 'body';
  const named = resolveNames(table, columns ?? body.keys);
  // `{}` and `[]` change nothing, even if `columns` names columns.
  const isEmpty = given.size === 0 && (body.kind === 'array' || fallback === 'body');
  const scope = planScope(context, table, request);
  return {
    kind: 'update',
    columns: isEmpty
      ? []
      : named.map((column) => ({ column, source: given.has(column.name) ? 'body' : fallback })),
    where: planTouched(scope, request),
    references: resolveReferences(table, request.place),
    ...planAnswer(table, request, planShown(scope, request)),
  };
}

/** Plans DELETE. Throws the errors of `planLevel`. */
export function planDelete(context: PlanContext, table: Table, request: DeleteRequest): DeletePlan {
  const scope = planScope(context, table, request);
  return {
    kind: 'delete',
    where: planTouched(scope, request),
    ...planAnswer(table, request, planShown(scope, request)),
  };
}

// An embed with `!inner` limits the rows that are changed, as it limits those that are read. Then all of them are
// returned, even if the write has changed what they refer to.
function planTouched(scope: Scope, request: UpdateRequest | DeleteRequest): Filter {
  return both(resolveFilter(scope, request.where), innerJoins(scope));
}

function resolveReferences(table: Table, place: BatchPlace | undefined): readonly BodyReference[] {
  const references = place?.references ?? [];
  for (const { column } of references) getColumn(table, column);
  return references;
}

// With `missing=default` keys that no row has are left out, so that PostgreSQL itself applies the default.
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

// Without a primary key no row can conflict with another, so an upsert without a target is an insert. Throws
// CONFLICT_TARGET_REFUSED.
function planConflict(table: Table, request: InsertRequest): ConflictRule {
  const { resolution } = request.preferences;
  if (resolution === undefined) return { kind: 'refuse' };
  const named = request.onConflict ?? [];
  const target = resolveNames(table, named.length > 0 ? named : table.primaryKey);
  checkTarget(table, target);
  if (resolution === 'ignore-duplicates') return { kind: 'ignore', target };
  return target.length === 0 ? { kind: 'refuse' } : { kind: 'merge', target };
}

// PostgreSQL takes all keys over the columns of the target together. It refuses a deferrable one, and passes over one
// WITHOUT OVERLAPS (manual, INSERT).
function checkTarget(table: Table, target: readonly Column[]): void {
  const names = new Set(target.map(({ name }) => name));
  const keys = table.uniqueKeys.filter(
    ({ columns }) => columns.length === names.size && columns.every((name) => names.has(name)),
  );
  const isOpen = keys.some(({ obstacle }) => obstacle === undefined);
  const refused =
    keys.find(({ obstacle }) => obstacle === 'deferrable') ?? (isOpen ? undefined : keys[0]);
  if (!refused) return;
  const { schema, name } = table;
  throw fail(
    'CONFLICT_TARGET_REFUSED',
    {},
    {
      details: `The constraint ${refused.name} is ${refused.obstacle}`,
      mentions: [{ kind: 'table', schema, name }],
    },
  );
}

type Answer = Pick<
  WritePlan,
  'table' | 'returning' | 'checks' | 'showsTotal' | 'explain' | 'keepsAs'
>;

function planAnswer(table: Table, request: WriteRequest, shown: Level): Answer {
  const { preferences, format, place } = request;
  const checks: WriteChecks = {
    isSingle: format.kind === 'object',
    maxAffected: preferences.maxAffected,
    isDryRun: preferences.isDryRun,
  };
  const explain = explainOf(format);
  return {
    table,
    returning: planReturning(table, request, shown),
    checks,
    showsTotal: !explain && preferences.count !== 'none',
    explain,
    keepsAs: place?.isReferenced ? place.index : undefined,
  };
}

// The returned columns are resolved even if nothing is returned, so that a wrong name is always refused.
function planReturning(table: Table, request: WriteRequest, shown: Level): Returning {
  const { returns } = request.preferences;
  if (returns === 'representation') {
    return { kind: 'rows', rows: planRepresentation(shown, request.format) };
  }
  const showsKey =
    request.kind === 'insert' &&
    returns === 'headers-only' &&
    request.body.kind === 'object' &&
    table.primaryKey.length > 0;
  return showsKey
    ? { kind: 'key', columns: resolveNames(table, table.primaryKey) }
    : { kind: 'nothing' };
}
