import { fail } from '#libs/errors';
import { openingWords } from './split-statements.js';

/** First words of statements that begin or end a transaction. Savepoints are refused by PostgreSQL itself. */
const TRANSACTION_WORDS = new Set(['begin', 'start', 'commit', 'end', 'rollback', 'abort']);

/**
 * Refuses what would break "a script is one transaction": statements that begin or end one, and text
 * that the protocol cannot carry. Throws INVALID_INPUT.
 */
export function checkScript(query: string): void {
  if (query.includes('\0')) {
    throw fail('INVALID_INPUT', { field: 'query', reason: 'a zero character is not allowed' });
  }
  for (const [first, second] of openingWords(query)) {
    const isControl =
      (first !== undefined && TRANSACTION_WORDS.has(first)) ||
      (first === 'prepare' && second === 'transaction');
    if (!isControl) continue;
    const word = first === 'prepare' ? 'prepare transaction' : first;
    throw fail('INVALID_INPUT', {
      field: 'query',
      reason: `${word} is not allowed, because the whole script runs in one transaction`,
    });
  }
}

/** First words of statements that read and write rows, or say how they are read. */
const ROW_WORDS: ReadonlySet<string> = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'merge',
  'values',
  'table',
  'with',
  'explain',
  'show',
]);

/**
 * Refuses every statement that does more than work with rows. PostgreSQL lets a session go back to its
 * login role and change the password of that role; both take statements that are not in this list, and
 * its functions cannot run such statements. Throws INVALID_INPUT.
 */
export function checkRowScript(query: string): void {
  for (const [first = 'this'] of openingWords(query)) {
    if (ROW_WORDS.has(first)) continue;
    const allowed = [...ROW_WORDS].join(', ');
    throw fail('INVALID_INPUT', {
      field: 'query',
      reason: `without the capability secrets.manage a statement begins with ${allowed}, not with ${first}`,
    });
  }
}
