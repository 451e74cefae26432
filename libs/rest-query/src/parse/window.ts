import { fail } from '#libs/errors';
import type { Window } from '../types.js';
import { syntaxError } from './names.js';
import { shorten } from './query-template.js';

/**
 * The rows asked for by `limit` and `offset`. A negative offset is none.
 * Throws PGRST100 for what is not an integer, PGRST103 (416) for a negative limit.
 */
export function parseWindow(limit: string | undefined, offset: string | undefined): Window {
  const first = offset === undefined ? 0 : Math.max(0, parseInteger('offset', offset));
  if (limit === undefined) return { offset: first, limit: undefined };
  const count = parseInteger('limit', limit);
  if (count < 0) throw fail('PGRST103', { reason: 'limit is negative' });
  return { offset: first, limit: count };
}

function parseInteger(name: string, text: string): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw syntaxError(`${name} is not an integer: ${shorten(text)}`);
}

/**
 * The rows asked for by the header `Range`. Both ends are row numbers from 0 and included: `0-9` is
 * ten rows (RFC 9110 §14, unit `items`); `10-` has no end. A range of another form or unit is ignored
 * (RFC 9110 §14.2). Throws PGRST103 (416) when the last row lies before the first.
 */
export function parseRange(header: string): Window {
  const match = /^\s*(?:items=)?(\d{1,15})-(\d{0,15})\s*$/.exec(header);
  if (!match) return { offset: 0, limit: undefined };
  const offset = Number(match[1]);
  if (!match[2]) return { offset, limit: undefined };
  const last = Number(match[2]);
  if (last < offset) throw fail('PGRST103', { reason: 'the last row lies before the first' });
  return { offset, limit: last - offset + 1 };
}
