// Compiles the operations of a batch one by one into one unit of work: the statements in order, and one function that
// checks all results.
import { AppError, deletionError, fail } from '#libs/errors';
import type { Catalog } from '#libs/catalog';
import { adminError, type Compiled, type CompiledStatement, type Ending } from '../compiled.js';
import type { QueryCompiler } from '../compiler.js';
import type { Limits } from '../plan/index.js';
import { readBody } from '../parse/body.js';
import { parsePrefer } from '../parse/prefer.js';
import type { BodyFrame } from '../shape/frame.js';
import type { ResponseHead, StatementResult } from '../shape/respond.js';
import type { Method, RestHeaders } from '../types/request.js';
import type { Steps } from '#libs/steps';
import { readBatch } from './read-batch.js';
import { referenceChecks } from './reference-checks.js';

/** Which result holds the rows of one operation, and their frame; without a frame the operation returns no rows. */
export interface BatchPart {
  readonly firstStatement: number;
  readonly frame: BodyFrame | undefined;
}

export interface CompiledBatch {
  readonly statements: readonly CompiledStatement[];
  readonly ending: Ending;
  /** The error for a caller that is no administrator: that of the first operation that has one. */
  readonly adminRefusal: AppError | undefined;
  readonly parts: readonly BatchPart[];
  /** The text around the results of all operations. */
  readonly frame: BodyFrame;
  /** Checks the results of all statements. Its errors name the operation. */
  respond(results: readonly StatementResult[]): ResponseHead;
  /** Returns `error` with the operation to which the statement with the index `statement` belongs. */
  blame(error: AppError, statement: number): AppError;
}

/** The input for compiling a batch. */
export interface BatchText {
  readonly body: Buffer | undefined;
  readonly headers: RestHeaders;
}

/** An operation with the index of its first statement. */
interface Operation {
  readonly method: Method;
  readonly compiled: Compiled;
  readonly firstStatement: number;
  /** The index after its last statement. */
  readonly end: number;
}

/**
 * Compiles the body of a batch with `compiler`, in steps. Throws the errors of `readBatch` and of the compiler; an
 * error of one operation has its index in `details.operation`.
 */
export function* compileBatch(
  compiler: QueryCompiler,
  known: { readonly catalog: Catalog; readonly limits: Limits },
  { body, headers }: BatchText,
): Steps<CompiledBatch> {
  const applied = appliedHeader(headers.prefer);
  const inputs = yield* readBatch(body, headers);
  const operations: Operation[] = [];
  const statements: CompiledStatement[] = [];
  for (const [i, input] of inputs.entries()) {
    const read = yield* readBody(input);
    const compiled = inOperation(i, () =>
      compiler.compile(known.catalog, known.limits, input, read),
    );
    statements.push(...referenceChecks(input));
    const firstStatement = statements.length;
    statements.push(...compiled.statements);
    operations.push({ method: input.method, compiled, firstStatement, end: statements.length });
    yield;
  }
  const shapes = operations.map(({ compiled }) => compiled.shape);
  return {
    statements,
    ending: strictest(shapes.map(({ ending }) => ending)),
    adminRefusal: firstRefusal(operations),
    parts: operations.map(({ compiled, firstStatement }) => ({
      firstStatement,
      frame: compiled.shape.frame,
    })),
    frame: FRAME,
    respond(results) {
      for (const [i, operation] of operations.entries()) checkOperation(i, operation, results);
      return { status: 200, headers: { 'content-type': JSON_TYPE, ...applied } };
    },
    blame(error, statement) {
      const index = operations.findIndex(({ end }) => statement < end);
      const isDeletion = operations[index]?.method === 'DELETE';
      return index === -1 ? error : named(isDeletion ? deletionError(error) : error, index);
    },
  };
}

/** The JSON around the results of all operations. */
const FRAME: BodyFrame = {
  open: '{"status":1,"message":"OK","data":{"results":[',
  separator: ',',
  close: ']}}',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const APPLIED = ['resolution', 'return', 'missing', 'handling', 'tx', 'max-affected'];

function appliedHeader(prefer: string | undefined): { readonly 'preference-applied'?: string } {
  const { given } = parsePrefer(prefer);
  const applied = given.filter((preference) => APPLIED.includes(preference.split('=', 1)[0] ?? ''));
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}

function strictest(endings: readonly Ending[]): Ending {
  return (
    endings.find((ending) => ending === 'rollback') ??
    endings.find((ending) => ending === 'inspect') ??
    'implicit'
  );
}

function firstRefusal(operations: readonly Operation[]): AppError | undefined {
  for (const [index, { method, compiled }] of operations.entries()) {
    const { adminRefusal } = compiled.shape;
    if (adminRefusal) return named(adminError(adminRefusal, method), index);
  }
  return undefined;
}

/** An operation that matches no row is not an error of the batch: its result is empty. */
function checkOperation(
  index: number,
  { compiled: { shape, offset }, firstStatement, end }: Operation,
  results: readonly StatementResult[],
): void {
  const own = results.slice(firstStatement, end);
  inOperation(index, () => {
    try {
      shape.respond(own, { offset });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NO_ROWS_MATCHED') throw error;
    }
  });
}

function inOperation<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof AppError ? named(error, index) : error;
  }
}

/** The same error, with the index of the operation among its details. */
function named(error: AppError, operation: number): AppError {
  const { code, status, message, details, hint, mentions, headers } = error;
  const { retryAfterSeconds, cause } = error;
  return fail(
    'DATABASE_ERROR',
    {},
    {
      publicCode: code,
      status,
      message,
      headers,
      details: { operation, ...detailFields(details) },
      ...(hint !== undefined && { hint }),
      mentions,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      cause,
    },
  );
}

function detailFields(details: unknown): object {
  if (details === undefined) return {};
  return typeof details === 'object' && !Array.isArray(details) ? { ...details } : { details };
}
