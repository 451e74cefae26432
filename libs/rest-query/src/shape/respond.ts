import { fail } from '#libs/errors';
import type { Plan, Preferences, ReadPlan, WriteChecks, WritePlan } from '../types.js';
import { checkOffset, contentRange, readTotal } from './content-range.js';
import { contentType } from './frame.js';

/** What the executor saw of one statement. */
export interface StatementResult {
  /** The number of the command tag: rows given by a select, rows touched by a write. */
  readonly count: number;
  /** The column of the first row, for statements that give `text`. */
  readonly text?: string | undefined;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Judges the results of all statements of a plan, in their order; throws when they may not stand. */
export type Respond = (results: readonly StatementResult[]) => ResponseHead;

const REST_PATH = '/rest/v1';
const NO_RESULT: StatementResult = { count: 0 };

/**
 * The function that turns the results of a plan into status and headers.
 * It throws PGRST103 and PGRST116 after reads, PGRST116, PGRST124 and NO_ROWS_MATCHED after writes.
 */
export function responder(plan: Plan, preferences: Preferences): Respond {
  return plan.kind === 'read'
    ? readResponder(plan, preferences)
    : writeResponder(plan, preferences);
}

function readResponder(plan: ReadPlan, preferences: Preferences): Respond {
  const { offset, limit } = plan.window;
  const headers = {
    'content-type': contentType(plan.rows),
    'range-unit': 'items',
    ...appliedHeader(preferences, ['count']),
  };
  const isSingle = plan.rows.format.kind === 'object' && plan.readsRows;
  return (results) => {
    const countResults = plan.readsRows ? results.slice(1) : results;
    const counted =
      plan.count === 'none'
        ? undefined
        : readTotal(
            plan.count,
            countResults.map((result) => result.text ?? ''),
            plan.maxRows,
          );
    const rows = plan.readsRows
      ? (results[0] ?? NO_RESULT).count
      : Math.min(limit, Math.max(0, (counted ?? 0) - offset));
    // Rows and count see one snapshot each; the total is never less than the rows that are shown.
    const total = counted === undefined || rows === 0 ? counted : Math.max(counted, offset + rows);
    if (isSingle && rows !== 1) throw fail('PGRST116', { rows });
    if (total !== undefined) checkOffset(offset, total);
    return {
      status: 200,
      headers: { ...headers, 'content-range': contentRange(offset, rows, total) },
    };
  };
}

function writeResponder(plan: WritePlan, preferences: Preferences): Respond {
  const status = plan.kind === 'insert' ? 201 : 200;
  const { returning } = plan;
  const headers = {
    ...(returning.kind === 'rows' && { 'content-type': contentType(returning.rows) }),
    'range-unit': 'items',
    ...appliedHeader(preferences, APPLIED_TO[plan.kind]),
  };
  return (results) => {
    const { count, text } = results[0] ?? NO_RESULT;
    checkAffected(plan.checks, count);
    if (plan.kind === 'update' && count === 0 && plan.columns.length > 0) {
      throw fail('NO_ROWS_MATCHED');
    }
    return {
      status,
      headers: {
        ...headers,
        'content-range': contentRange(0, count, plan.showsTotal ? count : undefined),
        ...(text !== undefined && { location: location(plan, text) }),
      },
    };
  };
}

function checkAffected({ isSingle, maxAffected }: WriteChecks, rows: number): void {
  if (maxAffected !== undefined && rows > maxAffected) throw fail('PGRST124', { rows });
  if (isSingle && rows !== 1) throw fail('PGRST116', { rows });
}

/** The address of a new row: `/rest/v1/planets?id=eq.5`. */
function location({ table, returning }: WritePlan, keyText: string): string {
  const values: unknown = JSON.parse(keyText);
  const columns = returning.kind === 'key' ? returning.columns : [];
  const filters = columns.map(({ name }, i) => {
    const value = Array.isArray(values) ? String(values[i]) : '';
    return `${encodeURIComponent(name)}=eq.${encodeURIComponent(value)}`;
  });
  return `${REST_PATH}/${encodeURIComponent(table.name)}?${filters.join('&')}`;
}

const WRITE_PREFERENCES = ['return', 'count', 'handling', 'tx', 'max-affected'];
const APPLIED_TO: Readonly<Record<WritePlan['kind'], readonly string[]>> = {
  insert: [...WRITE_PREFERENCES, 'resolution', 'missing'],
  update: [...WRITE_PREFERENCES, 'missing'],
  delete: WRITE_PREFERENCES,
};

function appliedHeader(
  { given }: Preferences,
  names: readonly string[],
): { readonly 'preference-applied'?: string } {
  const applied = given.filter((preference) => names.includes(preference.split('=', 1)[0] ?? ''));
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}
