// Statements that a connection parses and plans once. Only those are named that run before any code of the
// project can have run in the session: it could put another statement under the name.
import type { Client } from 'pg';

/** Statements with lists of values have a text for each length; what comes later is parsed each time. */
const maxNames = 300;
const names = new Map<string, string>();

/** The name of a statement, the same for every connection; undefined when there are too many. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = `plain_${names.size}`;
  names.set(text, name);
  return name;
}

/** Makes a client forget its prepared statements, as after `discard all`. */
export function forgetStatements(client: Client): void {
  // pg has no word for it: it keeps what it has prepared in these two records of its connection.
  const connection: unknown = Reflect.get(client, 'connection');
  for (const record of ['parsedStatements', 'submittedNamedStatements']) {
    Reflect.set(Object(connection), record, {});
  }
}

/** SQLSTATEs of a statement whose tables have changed since, and of one that the server does not know. */
const staleStates = new Set(['0A000', '26000']);

/** Whether a named statement failed because of its name alone. */
export function isStale(code: string | undefined): boolean {
  return code !== undefined && staleStates.has(code);
}
