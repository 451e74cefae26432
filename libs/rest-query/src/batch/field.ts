// An operation as it stands in the body, and the small questions that are asked of its values.
import { fail, type AppError } from '#libs/errors';
import type { EarlierOperations } from './references.js';

/** What an operation may do: a batch has no use for rows that are only read. */
export type WriteMethod = 'POST' | 'PATCH' | 'DELETE';

/** One element of the list of operations. */
export interface OperationText {
  /** How errors name it: `operations[3]`. */
  readonly path: string;
  /** Its members as values. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** The same as they were written. */
  readonly raw: ReadonlyMap<string, string>;
  readonly earlier: EarlierOperations;
}

/** The error for a value that cannot be what `field` takes. */
export function refusal(field: string, reason: string): AppError {
  return fail('INVALID_INPUT', { field, reason });
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members of a value that is an object; none otherwise. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}
