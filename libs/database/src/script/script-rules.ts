import { fail } from '#libs/errors';
import { splitStatements } from './split-statements.js';

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
  for (const {
    words: [first, second],
  } of splitStatements(query)) {
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
 * Returns the statements of a script, which have to be run one by one: then PostgreSQL itself refuses a text that is
 * more than one statement by its rules. Refuses every statement that does more than work with rows, because a session
 * may go back to its login role and change the password of that role. Throws INVALID_INPUT.
 */
export function rowStatements(query: string): readonly string[] {
  const statements = splitStatements(query);
  for (const {
    words: [first = 'this'],
  } of statements) {
    if (ROW_WORDS.has(first)) continue;
    const allowed = [...ROW_WORDS].join(', ');
    throw fail('INVALID_INPUT', {
      field: 'query',
      reason: `without the capability secrets.manage a statement begins with ${allowed}, not with ${first}`,
    });
  }
  return statements.map(({ text }) => text);
}
