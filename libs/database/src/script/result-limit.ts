// Counts the server's answer while it arrives, and reads it in parts. pg keeps every row until the statement ends, so a
// script that selects too much must lose its connection before that.
import type { Client } from 'pg';
import { isArrayType } from './script-values.js';

/** The maximum size of a script's answer, as the text for its caller; bytes. */
export const maxResultBytes = 16 * 1024 * 1024;
/** Overhead of a row besides its values: its braces, and its memory if it has no values. */
const rowBytes = 32;
/** Overhead of a value or an element of an array besides its text and the name of its column: quotes, colon, comma. */
const valueBytes = 6;
const comma = 0x2c;

/**
 * Watches the answers to a client's query, reading one chunk in each turn of the event loop, and calls `onExceeded`
 * once if there are more than `maxBytes`. By then the connection is closed, so that nothing more is read. The returned
 * function ends the watch.
 */
export function watchResult(client: Client, maxBytes: number, onExceeded: () => void): () => void {
  const { connection } = client;
  const { stream } = connection;
  let total = 0;
  let perRow = rowBytes;
  let arrays: readonly number[] = [];
  const add = (bytes: number): void => {
    const wasBelow = total <= maxBytes;
    total += bytes;
    if (!wasBelow || total <= maxBytes) return;
    stream.destroy();
    onExceeded();
  };
  const onData = (chunk: Buffer): void => {
    // One value may have a gigabyte, so bytes are counted before they form a message.
    add(chunk.length);
    // libuv reads a socket up to 32 times in one turn of the event loop, and pg makes rows of each chunk at once.
    stream.pause();
    setImmediate(() => stream.resume());
  };
  // The answer repeats the names of the columns in each row.
  const onFields = (message: unknown): void => {
    const fields = fieldsOf(message);
    perRow = fields.reduce((sum, { name }) => sum + name.length + valueBytes, rowBytes);
    arrays = fields.flatMap(({ dataTypeID }, index) => (isArrayType(dataTypeID) ? [index] : []));
  };
  const onRow = (message: unknown): void => {
    add(perRow);
    for (const index of arrays) {
      const most = Math.ceil((maxBytes - total) / valueBytes);
      add(valueBytes * commasIn(textAt(message, index), most));
    }
  };
  stream.on('data', onData);
  connection.on('rowDescription', onFields);
  connection.on('dataRow', onRow);
  return () => {
    stream.off('data', onData);
    connection.off('rowDescription', onFields);
    connection.off('dataRow', onRow);
  };
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The columns in a message of pg, whose types omit its events. */
function fieldsOf(message: unknown): readonly Field[] {
  return partsOf(message).flatMap((field) =>
    typeof field === 'object' && field !== null && 'name' in field && 'dataTypeID' in field
      ? [{ name: String(field.name), dataTypeID: Number(field.dataTypeID) }]
      : [],
  );
}

function textAt(message: unknown, index: number): string {
  const text = partsOf(message)[index];
  return typeof text === 'string' ? text : '';
}

function partsOf(message: unknown): readonly unknown[] {
  if (typeof message !== 'object' || message === null || !('fields' in message)) return [];
  return Array.isArray(message.fields) ? message.fields : [];
}

/** The number of commas in a text; counting stops above `most`. */
function commasIn(text: string, most: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count <= most; at++) {
    if (text.charCodeAt(at) === comma) count++;
  }
  return count;
}
