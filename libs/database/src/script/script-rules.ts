import { type AppError, fail } from '#libs/errors';
import type { SqlScript } from './read-script.js';
import { placeOf } from './script-place.js';
import type { ScriptStatement } from './split-statements.js';

/** First words of statements that begin or end a transaction. Savepoints are refused by PostgreSQL itself. */
const TRANSACTION_WORDS = new Set(['begin', 'start', 'commit', 'end', 'rollback', 'abort']);

/** Throws INVALID_INPUT for statements that begin or end a transaction: a script is one transaction. */
export function checkTransaction(script: SqlScript): void {
  const index = script.statements.findIndex(isControl);
  if (index < 0) return;
  const [first] = script.statements[index]?.words ?? [];
  const word = first === 'prepare' ? 'prepare transaction' : first;
  const reason = `${word} is not allowed, because the whole script runs in one transaction`;
  throw refusal(script, index, reason);
}

function isControl({ words: [first, second] }: ScriptStatement): boolean {
  return (
    (first !== undefined && TRANSACTION_WORDS.has(first)) ||
    (first === 'prepare' && second === 'transaction')
  );
}

function refusal({ text, statements }: SqlScript, index: number, reason: string): AppError {
  const place = placeOf(text, statements, { kind: 'statement', index });
  return fail('INVALID_INPUT', { field: 'query', reason }, { details: place });
}

/** First words of statements that read and write rows, or control how they are read. */
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
 * Throws INVALID_INPUT for every statement that does more than work with rows, because a session may switch back to its
 * login role and change the password of that role. The statements have to be run one by one: then PostgreSQL itself
 * refuses a text that contains several. `when` names the rule in the message.
 */
export function checkRowsOnly(script: SqlScript, when: string): void {
  const index = script.statements.findIndex(({ words: [first = 'this'] }) => !ROW_WORDS.has(first));
  if (index < 0) return;
  const [first = 'this'] = script.statements[index]?.words ?? [];
  const allowed = [...ROW_WORDS].join(', ');
  const reason = `${when} a statement begins with ${allowed}, not with ${first}`;
  throw refusal(script, index, reason);
}
