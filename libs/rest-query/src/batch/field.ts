// An operation as written in the body, and helpers to read its values.
import { fail, type AppError } from '#libs/errors';
import { isRecord } from '#libs/wire';
import type { EarlierOperations } from './references.js';

/** The methods of an operation: a batch cannot only read rows. */
export type WriteMethod = 'POST' | 'PATCH' | 'DELETE';

/** The facts about the body of an operation, which may be too large to parse into values. */
export interface OperationBody {
  /** As it was written. */
  readonly text: Buffer;
  readonly isArray: boolean;
  /** The body, or each of its elements, is an object. */
  readonly isOfObjects: boolean;
  /** The values of columns that are references, in the order of the rows; at most MAX_REFERENCES + 1. */
  readonly pointers: readonly {
    readonly row: number;
    readonly column: string;
    readonly pointer: string;
  }[];
}

/** The statement of an operation grows with its references. */
export const MAX_REFERENCES = 1_000;

/** One element of the list of operations. */
export interface OperationText {
  /** Its name in errors: `operations[3]`. */
  readonly path: string;
  /** Its members as values, without `body`. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** All members as they were written. */
  readonly raw: ReadonlyMap<string, Buffer>;
  readonly body: OperationBody | undefined;
  readonly earlier: EarlierOperations;
}

/** The error for a value that `field` does not accept. */
export function refusal(field: string, reason: string): AppError {
  return fail('INVALID_INPUT', { field, reason });
}

/** Members of a value that is an object; none otherwise. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
