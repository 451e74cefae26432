// What a test expects of a try, and whether the try has ended like that.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import { fieldsOf, record, text, word } from './read-fields.js';
import type { TryResult } from './try-result.js';

export type Expectation =
  /** Exactly this number of rows is read or written. */
  | { readonly kind: 'rows'; readonly count: number }
  /** The rows with these primary keys are read, and no others. */
  | { readonly kind: 'keys'; readonly keys: readonly unknown[] }
  /** The request is refused with this code. */
  | { readonly kind: 'refused'; readonly code: string };

/** How a try has ended, in the same shape. */
export type Actual =
  | {
      readonly kind: 'answered';
      readonly count: number | null;
      readonly keys: readonly unknown[] | null;
    }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

const maxKeys = 1_000;
const maxKeysLength = 64 * 1024;

/** Throws INVALID_INPUT, UNKNOWN_FIELD (400). */
export function readExpectation(value: unknown): Expectation {
  const expect = record(value, 'expect');
  const kind = word(expect['kind'], 'expect.kind', ['rows', 'keys', 'refused']);
  switch (kind) {
    case 'rows':
      fieldsOf(expect, 'expect', ['kind', 'count']);
      return { kind, count: readCount(expect['count']) };
    case 'keys':
      fieldsOf(expect, 'expect', ['kind', 'keys']);
      return { kind, keys: readKeys(expect['keys']) };
    case 'refused':
      fieldsOf(expect, 'expect', ['kind', 'code']);
      return { kind, code: text(expect['code'], 'expect.code', 64) };
  }
}

function readCount(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw fail('INVALID_INPUT', { field: 'expect.count', reason: 'must be a number of rows' });
}

function readKeys(value: unknown): readonly unknown[] {
  if (
    Array.isArray(value) &&
    value.length <= maxKeys &&
    JSON.stringify(value).length <= maxKeysLength
  ) {
    return value;
  }
  const reason = `must be a list of at most ${maxKeys} primary keys`;
  throw fail('INVALID_INPUT', { field: 'expect.keys', reason });
}

/** Returns how a try has ended. */
export function actualOf({ outcome, count, keys }: TryResult): Actual {
  return outcome.kind === 'refused'
    ? { kind: 'refused', code: outcome.code, message: outcome.message }
    : { kind: 'answered', count, keys };
}

/** Whether a try has ended as expected. */
export function isAsExpected(expected: Expectation, actual: Actual): boolean {
  switch (expected.kind) {
    case 'refused':
      return actual.kind === 'refused' && actual.code === expected.code;
    case 'rows':
      return actual.kind === 'answered' && actual.count === expected.count;
    case 'keys':
      return (
        actual.kind === 'answered' && actual.keys !== null && areSame(expected.keys, actual.keys)
      );
  }
}

/** As sets: the order of rows says nothing about policies. */
function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  const texts = new Set(one.map(canonical));
  return one.length === other.length && other.every((key) => texts.has(canonical(key)));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
