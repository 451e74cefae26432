// A compiled request as the executor sees it, whatever it is: statements, how they may be run, and what
// becomes of their results.
import {
  failedQuery,
  LongBody,
  type RowFrame,
  type StatementResult,
  type TableReply,
} from '#libs/database';
import { type AppError, fail } from '#libs/errors';
import type {
  Compiled,
  CompiledBatch,
  CompiledShape,
  CompiledStatement,
  ResponseHead,
  RestInput,
  StatementResult as SeenResult,
} from '#libs/rest-query';

/** Long answers come in slices. */
export type RowsBody = Buffer | LongBody;

/** The answer to a request on tables or functions. */
export interface RestAnswer extends ResponseHead {
  /** Bytes that the database wrote, in their frame; undefined for an answer without a body. */
  readonly body: RowsBody | undefined;
}

export interface Work {
  readonly statements: readonly CompiledStatement[];
  readonly isWrite: boolean;
  readonly isExclusive: boolean;
  readonly ending: CompiledShape['ending'];
  readonly adminRefusal: CompiledShape['adminRefusal'];
  /** Judges the results; throws when they may not stand. */
  judge(reply: TableReply): ResponseHead;
  body(reply: TableReply): RowsBody | undefined;
  /** What the caller hears of an error of the database. */
  toldError(error: AppError): AppError;
}

/** The work of a request on one table or function. */
export function requestWork({ resource }: RestInput, compiled: Compiled): Work {
  const { shape, statements, offset } = compiled;
  const { isWrite, isExclusive, ending, adminRefusal, frame } = shape;
  const isCall = resource.kind === 'function';
  return {
    statements,
    isWrite,
    isExclusive,
    ending,
    adminRefusal,
    judge: (reply) => shape.respond(seenResults(statements, reply), { offset }),
    body: ({ results }) => frame && framed(frame, statements[0], results[0]),
    // The body of a function may name what is not there; a filter on a table can only be mistaken.
    toldError: isCall ? (error) => error : asBadFilter,
  };
}

/** The work of several writes. */
export function batchWork(batch: CompiledBatch): Work {
  const { statements, ending, adminRefusal } = batch;
  return {
    statements,
    isWrite: true,
    isExclusive: true,
    ending,
    adminRefusal,
    judge: (reply) => batch.respond(seenResults(statements, reply)),
    body: (reply) => batchBody(batch, reply),
    toldError(error) {
      const statement = failedQuery(error);
      const told = asBadFilter(error);
      return statement === undefined ? told : batch.blame(told, statement);
    },
  };
}

function seenResults(
  statements: readonly CompiledStatement[],
  { results }: TableReply,
): SeenResult[] {
  return statements.map(({ gives }, index) => seenResult(gives, results[index]));
}

function seenResult(
  gives: CompiledStatement['gives'],
  result: StatementResult | undefined,
): SeenResult {
  if (!result) return { count: 0 };
  const { rows, affected } = result;
  switch (gives) {
    case 'rows':
    case 'nothing':
      return { count: affected };
    case 'text':
      return { count: affected, text: rows.first(0).toString('utf8') };
    case 'total-and-rows':
      return { count: affected - 1, text: rows.first(0).toString('utf8') };
    case 'settings':
      return { count: affected, texts: rows.texts(0) };
  }
}

function framed(
  frame: RowFrame,
  statement: CompiledStatement | undefined,
  result: StatementResult | undefined,
): RowsBody | undefined {
  return result?.rows.takeBody(frame, statement?.gives === 'total-and-rows' ? 1 : 0);
}

const noRows = Buffer.from('[]');

/** The results of all operations in the data envelope; bytes as the database wrote them. */
function batchBody({ parts, statements, frame }: CompiledBatch, { results }: TableReply): RowsBody {
  const pieces: RowsBody[] = [];
  for (const { frame: rows, firstStatement } of parts) {
    pieces.push(Buffer.from(pieces.length === 0 ? frame.open : frame.separator));
    const part = rows && framed(rows, statements[firstStatement], results[firstStatement]);
    pieces.push(part ?? noRows);
  }
  pieces.push(Buffer.from(frame.close));
  return pieces.every((piece) => Buffer.isBuffer(piece))
    ? Buffer.concat(pieces)
    : LongBody.of(pieces);
}

/** No operator for the types: what a filter asks of a column is the caller's mistake, not a missing thing. */
function asBadFilter(error: AppError): AppError {
  if (error.code !== '42883') return error;
  const { message, cause, code } = error;
  return fail('DATABASE_ERROR', {}, { status: 400, publicCode: code, message, cause });
}
