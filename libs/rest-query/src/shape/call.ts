import { fail } from '#libs/errors';
import type { CallPlan } from '../types/plan.js';
import type { Preferences } from '../types/request.js';
import { appliedHeader } from './applied.js';
import { checkOffset, contentRange, shownRows } from './content-range.js';
import { contentType, planContentType } from './media-type.js';
import { NO_RESULT, type Respond, type StatementResult } from './response.js';
import { readResponseSettings } from './response-settings.js';

/** Status and headers of a call. Those that the function sets take precedence. */
export function callResponder(plan: CallPlan, preferences: Preferences): Respond {
  const { style, result, isMinimal } = plan;
  const applied = appliedHeader(plan, preferences);
  if (plan.explain) {
    const headers = { 'content-type': planContentType(plan.explain, style), ...applied };
    return () => ({ status: 200, headers });
  }
  const isEmpty = result.kind === 'void' || isMinimal;
  const isSet = result.kind !== 'void' && result.isSet;
  const headers = {
    ...(!isEmpty && { 'content-type': contentTypeOf(plan) }),
    'range-unit': 'items',
    ...applied,
  };
  return (results, { offset }) => {
    const [rows = NO_RESULT, settings = NO_RESULT] = results;
    const range = isSet ? setRange(plan, rows, offset) : oneValueRange(plan);
    const given = readResponseSettings(settings.texts ?? []);
    return {
      status: given.status ?? (isEmpty ? 204 : 200),
      headers: { ...headers, 'content-range': range, ...given.headers },
    };
  };
}

// A function that returns no set has one value: requesting a single one changes nothing.
function contentTypeOf({ style, result }: CallPlan): string {
  const isValue = result.kind === 'scalar' && !result.isSet && style.kind === 'object';
  return contentType(isValue ? { kind: 'array', stripNulls: style.stripNulls } : style);
}

/** A function that returns no set returns one value, whatever it is. */
function oneValueRange({ count }: CallPlan): string {
  return contentRange(0, 1, count === 'none' ? undefined : 1);
}

/** The range of a set. Throws PGRST103, PGRST116 and PGRST124. */
function setRange(plan: CallPlan, { count, text }: StatementResult, offset: number): string {
  const total = plan.count === 'none' ? undefined : Number(text);
  const showsRows = plan.readsRows && !plan.isMinimal;
  const rows =
    showsRows || total === undefined
      ? count
      : shownRows(total, { offset, limit: plan.window.limit });
  if (plan.maxAffected !== undefined && rows > plan.maxAffected) throw fail('PGRST124', { rows });
  if (showsRows && plan.style.kind === 'object' && rows !== 1) throw fail('PGRST116', { rows });
  if (total !== undefined) checkOffset(offset, total);
  return contentRange(offset, rows, total);
}
