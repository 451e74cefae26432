// Pages of lists that are sorted by more than one id: `next` of a page names the sort values of its last row.
import { type AppError, fail } from '#libs/errors';
import { parseJson } from '#libs/wire';

/** One page of a list, and the cursor with which the next one continues; null on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Which page of a list; `after` is `next` of the page before. */
export interface PageQuery {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The page of `limit` rows, from a statement that was asked for one row more. */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly string[],
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last === undefined ? null : cursorOf(keyOf(last)) };
}

function cursorOf(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * The sort values of a cursor, `length` of them; undefined without a cursor. Throws INVALID_INPUT, which names `field`,
 * for a text that is no cursor of such a list.
 */
export function keyIn(
  cursor: string | undefined,
  { field, length }: { readonly field: string; readonly length: number },
): readonly string[] | undefined {
  if (cursor === undefined) return undefined;
  const key = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(key) && key.length === length && key.every(isStorable)) return key;
  throw cursorRefusal(field);
}

export function cursorRefusal(field: string): AppError {
  return fail('INVALID_INPUT', { field, reason: 'it must be `next` of the page before' });
}

/** PostgreSQL has no text with the character 0 or half a surrogate pair. */
const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
