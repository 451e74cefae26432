import { type AppError, fail } from '#libs/errors';
import { placeOf } from './script-place.js';
import { type ScriptStatement, splitStatements } from './split-statements.js';

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
  const statements = splitStatements(query);
  for (const [index, statement] of statements.entries()) {
    const [first, second] = statement.words;
    const isControl =
      (first !== undefined && TRANSACTION_WORDS.has(first)) ||
      (first === 'prepare' && second === 'transaction');
    if (!isControl) continue;
    const word = first === 'prepare' ? 'prepare transaction' : first;
    const reason = `${word} is not allowed, because the whole script runs in one transaction`;
    throw refusal(query, statements, { index, reason });
  }
}

function refusal(
  query: string,
  statements: readonly ScriptStatement[],
  { index, reason }: { readonly index: number; readonly reason: string },
): AppError {
  const place = placeOf(query, statements, { kind: 'statement', index });
  return fail('INVALID_INPUT', { field: 'query', reason }, { details: place });
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
export function rowStatements(query: string): readonly ScriptStatement[] {
  const statements = splitStatements(query);
  for (const [index, statement] of statements.entries()) {
    const [first = 'this'] = statement.words;
    if (ROW_WORDS.has(first)) continue;
    const allowed = [...ROW_WORDS].join(', ');
    const reason = `without the capability secrets.manage a statement begins with ${allowed}, not with ${first}`;
    throw refusal(query, statements, { index, reason });
  }
  return statements;
}
