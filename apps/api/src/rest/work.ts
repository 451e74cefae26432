// A compiled request as data: its statements, how they may be run, and the function that checks their results.
import type { LongBody } from '#libs/database';
import type { AppError } from '#libs/errors';
import {
  adminError,
  type Compiled,
  type CompiledBatch,
  type CompiledShape,
  type CompiledStatement,
  type ResponseHead,
  type RestInput,
} from '#libs/rest-query';

/** Long answers come in slices. */
export type RowsBody = Buffer | LongBody;

/** The answer to a request on tables or functions. */
export interface RestAnswer extends ResponseHead {
  /** Bytes that the database wrote, in their frame; undefined for an answer without a body. */
  readonly body: RowsBody | undefined;
}

interface Execution {
  readonly statements: readonly CompiledStatement[];
  readonly isWrite: boolean;
  readonly isExclusive: boolean;
  readonly ending: CompiledShape['ending'];
  /** The error for a caller that is no administrator; undefined when every caller may run it. */
  readonly adminRefusal: AppError | undefined;
}

/** One request on a table or a function. */
export interface RequestWork extends Execution {
  readonly kind: 'table' | 'function';
  readonly isDeletion: boolean;
  readonly shape: CompiledShape;
  /** Rows to skip. */
  readonly offset: number;
}

/** Several writes. */
export interface BatchWork extends Execution {
  readonly kind: 'batch';
  readonly batch: CompiledBatch;
}

export type Work = RequestWork | BatchWork;

export function requestWork({ resource, method }: RestInput, compiled: Compiled): RequestWork {
  const { shape, statements, offset } = compiled;
  const { isWrite, isExclusive, ending, adminRefusal } = shape;
  return {
    kind: resource.kind,
    isDeletion: method === 'DELETE',
    statements,
    isWrite,
    isExclusive,
    ending,
    adminRefusal: adminRefusal && adminError(adminRefusal, method),
    shape,
    offset,
  };
}

export function batchWork(batch: CompiledBatch): BatchWork {
  const { statements, ending, adminRefusal } = batch;
  return {
    kind: 'batch',
    statements,
    isWrite: true,
    isExclusive: true,
    ending,
    adminRefusal,
    batch,
  };
}
