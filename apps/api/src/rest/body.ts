// Stage five: the rows as the database wrote them, in their frame.
import { LongBody, type RowFrame, type StatementResult, type TableReply } from '#libs/database';
import type { CompiledBatch, CompiledStatement } from '#libs/rest-query';

import type { RowsBody, Work } from './work.js';

/** Undefined for an answer without a body. */
export function bodyOf(work: Work, reply: TableReply): RowsBody | undefined {
  if (work.kind === 'batch') return batchBody(work.batch, reply);
  const { shape, statements } = work;
  return shape.frame && framed(shape.frame, statements[0], reply.results[0]);
}

function framed(
  frame: RowFrame,
  statement: CompiledStatement | undefined,
  result: StatementResult | undefined,
): RowsBody | undefined {
  return result?.rows.takeBody(frame, statement?.gives === 'total-and-rows' ? 1 : 0);
}

const noRows = Buffer.from('[]');

/** The results of all operations in the data envelope. */
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
