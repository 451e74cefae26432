// Answers that PostgreSQL writes as one JSON text. It measures the text before it sends it, so that no more is ever
// fetched than an answer may have; the text is sent on as it is, without a walk through its values.

import { fail } from '#libs/errors';
import type { JsonBytes } from './script/script-result.js';

/** The maximum size of such an answer; bytes. */
export const maxJsonBytes = 16 * 1024 * 1024;

/** In characters. */
const maxCommentLength = 8 * 1024;
const maxDefinitionLength = 64 * 1024;

/** A row that has the text of {@link boundedJson}; null if the text is longer. */
export interface JsonRow {
  readonly content: string | null;
}

/**
 * Returns the SQL of the text of a JSON value, which is null if it has more than `maxBytes` bytes. The limit may be SQL,
 * such as a parameter.
 */
export const boundedJson = (json: string, maxBytes: number | string = maxJsonBytes): string => `(
  select case when pg_catalog.octet_length(sized.content) operator(pg_catalog.<=) ${maxBytes}
              then sized.content end
    from (select (${json})::pg_catalog.text as content offset 0) as sized)`;

/** Returns the SQL of a comment as answers have it. A longer one is cut and ends with "…". */
export const cutComment = (text: string): string => cutText(text, maxCommentLength);

/** Returns the SQL of an expression or a definition as answers have it. A longer one is cut and ends with "…". */
export const cutDefinition = (text: string): string => cutText(text, maxDefinitionLength);

/** The text is computed once. */
const cutText = (text: string, maxLength: number): string => `(
  select case when pg_catalog.length(whole.words) operator(pg_catalog.>) ${maxLength}
              then pg_catalog."left"(whole.words, ${maxLength}) operator(pg_catalog.||) '…'::pg_catalog.text
              else whole.words end
    from (select (${text})::pg_catalog.text as words offset 0) as whole)`;

/** Returns the bytes of a {@link boundedJson} of `maxBytes`. Throws RESULT_TOO_LARGE. */
export function jsonBytesOf<Value>(
  { content }: JsonRow,
  maxBytes: number = maxJsonBytes,
): JsonBytes<Value> {
  if (content === null) throw fail('RESULT_TOO_LARGE', { maxBytes });
  return Buffer.from(content);
}
