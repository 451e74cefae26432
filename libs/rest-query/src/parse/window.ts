import { fail } from '#libs/errors';
import type { Window } from '../types/grammar.js';
import { shorten, syntaxError } from './names.js';

/** The rows that `limit` asks for. Throws PGRST100 for no integer, PGRST103 (416) for a negative one. */
export function parseLimit(text: string): number {
  const limit = parseInteger('limit', text);
  if (limit < 0) throw fail('PGRST103', { reason: 'limit is negative' });
  return limit;
}

/** The rows that `offset` skips; a negative one skips none. Throws PGRST100 for no integer. */
export function parseOffset(text: string): number {
  return Math.max(0, parseInteger('offset', text));
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
