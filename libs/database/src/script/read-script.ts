import { fail } from '#libs/errors';
import { stepChars, type Steps } from '#libs/steps';
import { type ScriptStatement, splitStatements } from './split-statements.js';

/** The text of a script and where its statements are in it. */
export interface SqlScript {
  readonly text: string;
  readonly statements: readonly ScriptStatement[];
}

/**
 * Returns a script with its statements. Throws INVALID_INPUT for text that reaches PostgreSQL as another text than
 * the one that was split: with zero characters or halves of surrogate pairs.
 */
export function* readScript(text: string): Steps<SqlScript> {
  requireText('query', text);
  if (text.includes('\0')) {
    throw fail('INVALID_INPUT', { field: 'query', reason: 'a zero character is not allowed' });
  }
  return { text, statements: yield* splitStatements(text) };
}

/** Refuses parameters with a text that PostgreSQL cannot get as it is. Throws INVALID_INPUT. */
export function* checkParams(params: readonly unknown[]): Steps<void> {
  const open: unknown[] = [params];
  let chars = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      requireText('params', value);
      chars += value.length;
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const [key, member] of Object.entries(value)) open.push(key, member);
    }
    chars += 1;
    if (chars < stepChars) continue;
    chars = 0;
    yield;
  }
}

/** A half of a surrogate pair becomes U+FFFD on its way, whichever it was: two dollar tags would be the same. */
function requireText(field: 'query' | 'params', text: string): void {
  if (text.isWellFormed()) return;
  throw fail('INVALID_INPUT', { field, reason: 'half of a surrogate pair is not allowed' });
}
