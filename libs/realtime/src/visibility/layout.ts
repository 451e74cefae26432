// The rows and the callers of a question as PostgreSQL receives them, and its answers put back in their places.

import { claimsKey } from '#libs/realtime-core';

import type { Change } from '../feed/lines.js';
import type { CallerReads } from './conditions.js';
import type { Method } from './program.js';
import type { Audience, Bits } from './types.js';

/** The rows before and after the changes in one list; a change has -1 where it has no row. */
export interface RowLayout {
  readonly rows: readonly string[];
  readonly newRow: readonly number[];
  readonly oldRow: readonly number[];
  /** The row that filters are about: the one after the change, or before it where there is no other. */
  readonly filterRow: readonly number[];
}

export function layOutRows(changes: readonly Change[]): RowLayout {
  const rows: string[] = [];
  const add = (text: string | null): number => (text === null ? -1 : rows.push(text) - 1);
  const newRow = changes.map(({ newText }) => add(newText));
  const oldRow = changes.map(({ oldText }) => add(oldText));
  const filterRow = newRow.map((row, index) => (row >= 0 ? row : (oldRow[index] ?? -1)));
  return { rows, newRow, oldRow, filterRow };
}

/** Audiences with the same answer, one of each. */
export interface Groups {
  readonly audiences: readonly Audience[];
  /** By index of an audience the index of its group. */
  readonly groupOf: readonly number[];
}

/** `reads` is what the policies read of a caller; undefined for everything. */
export function groupAudiences(
  all: readonly Audience[],
  method: Method,
  reads: CallerReads | undefined,
): Groups {
  const audiences: Audience[] = [];
  const known = new Map<string | null, number>();
  const groupOf = all.map((audience) => {
    const key = keyFor(audience, method, reads);
    const group = known.get(key) ?? audiences.push(audience) - 1;
    known.set(key, group);
    return group;
  });
  return { audiences, groupOf };
}

function keyFor(audience: Audience, method: Method, reads: CallerReads | undefined): string | null {
  switch (method) {
    case 'once':
      return '';
    case 'joined':
      return subjectOf(audience);
    case 'loop':
      return reads ? readKey(audience, reads) : wholeKey(audience);
  }
}

const wholeKey = ({ subject, claims }: Audience): string => `${subject}\n${claims}`;

/** The last key of each caller with what it was made for: claims are parsed once and not for each batch. */
const readKeys = new WeakMap<Audience, { readonly reads: string; readonly key: string }>();

function readKey(audience: Audience, { subject, claims }: CallerReads): string {
  // Without a setting of its own the id is read from the claims.
  if (subject && audience.subject === '') return wholeKey(audience);
  const reads = JSON.stringify([subject, claims]);
  const known = readKeys.get(audience);
  if (known?.reads === reads) return known.key;
  const key = `${subject ? audience.subject : ''}\n${claimsKey(audience.claims, claims)}`;
  readKeys.set(audience, { reads, key });
  return key;
}

/** What `auth.subject` returns: the claims have the id if the setting of its own has none. */
export function subjectOf({ subject, claims }: Audience): string | null {
  if (subject !== '' || !claims.includes('"sub"')) return subject === '' ? null : subject;
  const value: unknown = Reflect.get(Object(JSON.parse(claims)), 'sub');
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** The bits of some rows in the order of the changes. */
export function pickBits(bits: Bits, rowOf: readonly number[]): Bits {
  return rowOf.map((row) => (bits[row] === '1' ? '1' : '0')).join('');
}

/** Bits that are set in both. */
export function bothBits(left: Bits, right: Bits): Bits {
  return left === right
    ? left
    : Array.from(left, (bit, i) => (right[i] === '1' ? bit : '0')).join('');
}

/** Bits that are set in one of them. */
export function anyBits(left: Bits, right: Bits): Bits {
  return left === right
    ? left
    : Array.from(left, (bit, i) => (right[i] === '1' ? '1' : bit)).join('');
}

/** The common bits with those of each caller's pairs of row and caller, both from 1, like `3 17,4 17`. */
export function bitsOfPairs(common: Bits, pairs: string, callers: number): Bits[] {
  const all = Array.from({ length: callers }, () => common);
  const rowsByCaller = new Map<number, number[]>();
  for (const pair of pairs === '' ? [] : pairs.split(',')) {
    const blank = pair.indexOf(' ');
    const caller = Number(pair.slice(blank + 1)) - 1;
    const rows = rowsByCaller.get(caller);
    const row = Number(pair.slice(0, blank)) - 1;
    if (rows) rows.push(row);
    else rowsByCaller.set(caller, [row]);
  }
  for (const [caller, rows] of rowsByCaller) {
    const bits = Array.from(common);
    for (const row of rows) bits[row] = '1';
    all[caller] = bits.join('');
  }
  return all;
}
