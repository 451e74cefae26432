import { fail } from '#libs/errors';
import { stepChars, type Steps } from '#libs/steps';
import { isRecord, type JsonRecord } from '#libs/wire';
import { type ScriptStatement, splitStatements } from './split-statements.js';

/** The text of a script and where its statements are in it. */
export interface SqlScript {
  readonly text: string;
  readonly statements: readonly ScriptStatement[];
}

/**
 * Returns a script with its statements. Throws INVALID_INPUT for text that would change on its way to PostgreSQL: with
 * zero characters or halves of surrogate pairs.
 */
export function* readScript(text: string): Steps<SqlScript> {
  requireText('query', text);
  if (text.includes('\0')) {
    throw fail('INVALID_INPUT', { field: 'query', reason: 'a zero character is not allowed' });
  }
  return { text, statements: yield* splitStatements(text) };
}

/**
 * How many values parameters may have, members of arrays and objects included. The driver writes a parameter at once:
 * 500,000 members took 100 to 135 ms.
 */
const maxValues = 100_000;

/**
 * Throws INVALID_INPUT for parameters with a text that would change on its way to PostgreSQL, or with more than 100,000
 * values.
 */
export function* checkParams(params: readonly unknown[]): Steps<void> {
  const open: Iterator<unknown>[] = [params.values()];
  let chars = 0;
  let values = 0;
  for (let members = open.at(-1); members; members = open.at(-1)) {
    const { done, value } = members.next();
    if (done === true) {
      open.pop();
      continue;
    }
    values += 1;
    if (values > maxValues) {
      const reason = `at most ${maxValues} values are allowed, members of arrays included`;
      throw fail('INVALID_INPUT', { field: 'params', reason });
    }
    if (typeof value === 'string') {
      requireText('params', value);
      chars += value.length;
    } else if (Array.isArray(value)) {
      // One after the other: a list of all members of a long array takes longer than a step may.
      open.push(value.values());
    } else if (isRecord(value) && !ArrayBuffer.isView(value)) {
      open.push(keysAndValues(value));
    }
    chars += 1;
    if (chars < stepChars) continue;
    chars = 0;
    yield;
  }
}

function* keysAndValues(value: JsonRecord): Generator<unknown> {
  for (const key of Object.keys(value)) {
    yield key;
    yield value[key];
  }
}

/** Any half of a surrogate pair becomes U+FFFD on its way: two different dollar tags would become equal. */
function requireText(field: 'query' | 'params', text: string): void {
  if (text.isWellFormed()) return;
  throw fail('INVALID_INPUT', { field, reason: 'half of a surrogate pair is not allowed' });
}
