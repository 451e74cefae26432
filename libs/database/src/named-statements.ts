// Statements that a connection parses and plans once. A statement is named only if it runs before any code of the
// project can have run in the session: that code could prepare another statement under the name.
import type { Client } from 'pg';

/**
 * Statements with lists of values have a different text for each length; beyond this number they are parsed each time.
 */
const maxNames = 300;
const names = new Map<string, string>();

/** The name of a statement, the same for every connection; undefined if there are too many. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = `plain_${names.size}`;
  names.set(text, name);
  return name;
}

/** Makes a client forget its prepared statements, as after `discard all`. */
export function forgetStatements(client: Client): void {
  // pg has no method for it: it stores its prepared statements in these two records of its connection.
  const connection: unknown = Reflect.get(client, 'connection');
  for (const record of ['parsedStatements', 'submittedNamedStatements']) {
    Reflect.set(Object(connection), record, {});
  }
}

/** SQLSTATEs of a statement whose tables have changed since, and of a statement that the server does not know. */
const staleStates = new Set(['0A000', '26000']);

/** Whether a named statement failed only because of its name. */
export function isStale(code: string | undefined): boolean {
  return code !== undefined && staleStates.has(code);
}
