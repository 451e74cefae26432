import { fail } from '#libs/errors';
import { restPath } from '#libs/wire';
import type { WriteChecks, WritePlan } from '../types/plan.js';
import type { Preferences } from '../types/request.js';
import { appliedHeader } from './applied.js';
import { contentRange } from './content-range.js';
import { contentType, planContentType } from './media-type.js';
import { NO_RESULT, type Respond } from './response.js';

/** Status and headers of a write. */
export function writeResponder(plan: WritePlan, preferences: Preferences): Respond {
  const { returning } = plan;
  const applied = appliedHeader(plan, preferences);
  if (plan.explain) {
    const style = returning.kind === 'rows' ? returning.rows.style : JSON_ROWS;
    const headers = { 'content-type': planContentType(plan.explain, style), ...applied };
    return () => ({ status: 200, headers });
  }
  const status = plan.kind === 'insert' ? 201 : 200;
  const headers = {
    ...(returning.kind === 'rows' && { 'content-type': contentType(returning.rows.style) }),
    'range-unit': 'items',
    ...applied,
  };
  return (results) => {
    const { count, text } = results[0] ?? NO_RESULT;
    checkAffected(plan.checks, count);
    if (plan.kind === 'update' && count === 0 && plan.columns.length > 0) {
      throw fail('NO_ROWS_MATCHED');
    }
    const isKeyShown = returning.kind === 'key' && text !== undefined && text !== '';
    return {
      status,
      headers: {
        ...headers,
        'content-range': contentRange(0, count, plan.showsTotal ? count : undefined),
        ...(isKeyShown && { location: location(plan, text) }),
      },
    };
  };
}

const JSON_ROWS = { kind: 'array', stripNulls: false } as const;

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
  return `${restPath}/${encodeURIComponent(table.name)}?${filters.join('&')}`;
}
