import { fail } from '#libs/errors';
import { MAX_COUNTED } from '../parse/limits.js';
import type { ReadPlan } from '../types/plan.js';
import type { Preferences } from '../types/request.js';
import { appliedHeader } from './applied.js';
import { checkOffset, contentRange, readTotal, shownRows } from './content-range.js';
import { contentType, planContentType } from './media-type.js';
import { NO_RESULT, type Respond } from './response.js';

/** Status and headers of a read. */
export function readResponder(plan: ReadPlan, preferences: Preferences): Respond {
  const { style } = plan.rows;
  const applied = appliedHeader(plan, preferences);
  if (plan.explain) {
    const headers = { 'content-type': planContentType(plan.explain, style), ...applied };
    return () => ({ status: 200, headers });
  }
  const headers = { 'content-type': contentType(style), 'range-unit': 'items', ...applied };
  const isSingle = style.kind === 'object' && plan.readsRows;
  return (results, { offset }) => {
    const countResults = plan.readsRows ? results.slice(1) : results;
    const texts = countResults.map(({ text }) => text ?? '');
    const counted = plan.count === 'none' ? undefined : readTotal(plan.count, texts, plan.maxRows);
    const rows = plan.readsRows
      ? (results[0] ?? NO_RESULT).count
      : shownRows(counted ?? 0, { offset, limit: plan.window.limit });
    // Rows and count each see their own snapshot; the total is never less than the returned rows.
    const total = counted === undefined || rows === 0 ? counted : Math.max(counted, offset + rows);
    if (isSingle && rows !== 1) throw fail('PGRST116', { rows });
    // A count that was cut off says nothing about the rows behind it.
    const isCut = plan.count === 'bounded' && total !== undefined && total >= MAX_COUNTED;
    if (total !== undefined && !isCut) checkOffset(offset, total);
    return {
      status: 200,
      headers: { ...headers, 'content-range': contentRange(offset, rows, total) },
    };
  };
}
