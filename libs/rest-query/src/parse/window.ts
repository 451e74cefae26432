import { fail } from '#libs/errors';
import type { Window } from '../types/grammar.js';
import { shorten, syntaxError } from './names.js';

/** Parses `limit`. Throws PGRST100 for a text that is not an integer, PGRST103 (416) for a negative one. */
export function parseLimit(text: string): number {
  const limit = parseInteger('limit', text);
  if (limit < 0) throw fail('PGRST103', { reason: 'limit is negative' });
  return limit;
}

/** Parses `offset`; a negative one skips no rows. Throws PGRST100 for a text that is not an integer. */
export function parseOffset(text: string): number {
  return Math.max(0, parseInteger('offset', text));
}

function parseInteger(name: string, text: string): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw syntaxError(`${name} is not an integer: ${shorten(text)}`);
}

/**
 * Parses the header `Range`. Both ends are row numbers from 0, inclusive: `0-9` is ten rows (RFC 9110 §14, unit
 * `items`); `10-` has no end. A range of another form or unit is ignored (RFC 9110 §14.2). Throws PGRST103 (416) if the
 * last row is before the first.
 */
export function parseRange(header: string): Window {
  const match = /^\s*(?:items=)?(\d{1,15})-(\d{0,15})\s*$/.exec(header);
  if (!match) return { offset: 0, limit: undefined };
  const offset = Number(match[1]);
  if (!match[2]) return { offset, limit: undefined };
  const last = Number(match[2]);
  if (last < offset) throw fail('PGRST103', { reason: 'the last row is before the first' });
  return { offset, limit: last - offset + 1 };
}
