// Stage four: checks whether the results may be kept, and returns their status and headers.
import type { StatementResult, TableReply } from '#libs/database';
import type {
  CompiledStatement,
  ResponseHead,
  StatementResult as SeenResult,
} from '#libs/rest-query';

import type { Work } from './work.js';

/** Throws PGRST103, PGRST116, PGRST124 and other refusals of a shape; for a batch the error names the operation. */
export function check(work: Work, reply: TableReply): ResponseHead {
  const results = seenResults(work.statements, reply);
  return work.kind === 'batch'
    ? work.batch.respond(results)
    : work.shape.respond(results, { offset: work.offset });
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
