// Counts what the server answers while it arrives. pg keeps every row until the statement ends, so a script that
// selects too much must lose its connection before that.
import type { Client } from 'pg';

/** The most that a script may answer, as the text that its caller gets; bytes. */
export const maxResultBytes = 16 * 1024 * 1024;
/** What a row costs beside its values: its braces, and what it takes in memory when it has no values. */
const rowBytes = 32;
/** What a value costs beside its text and the name of its column: quotes, colon and comma. */
const valueBytes = 6;

/**
 * Watches the answers to a client's query and calls `onExceeded` once when there are more than `maxBytes`. By then
 * the connection is cut, so that nothing more is read. Returns a function that ends the watch.
 */
export function watchResult(client: Client, maxBytes: number, onExceeded: () => void): () => void {
  const { connection } = client;
  const { stream } = connection;
  let total = 0;
  let perRow = rowBytes;
  const add = (bytes: number): void => {
    const wasBelow = total <= maxBytes;
    total += bytes;
    if (!wasBelow || total <= maxBytes) return;
    stream.destroy();
    onExceeded();
  };
  // One value may have a gigabyte, so bytes are counted before they are a message.
  const onData = (chunk: Buffer): void => add(chunk.length);
  // The answer repeats the names of the columns in each row.
  const onFields = (message: unknown): void => {
    perRow = rowBytes + namesOf(message).reduce((sum, name) => sum + name.length + valueBytes, 0);
  };
  const onRow = (): void => add(perRow);
  stream.on('data', onData);
  connection.on('rowDescription', onFields);
  connection.on('dataRow', onRow);
  return () => {
    stream.off('data', onData);
    connection.off('rowDescription', onFields);
    connection.off('dataRow', onRow);
  };
}

/** The names of the columns in a message of pg, whose types leave its events out. */
function namesOf(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null || !('fields' in message)) return [];
  const { fields } = message;
  if (!Array.isArray(fields)) return [];
  return fields.map((field: unknown) =>
    typeof field === 'object' && field !== null && 'name' in field ? String(field.name) : '',
  );
}
