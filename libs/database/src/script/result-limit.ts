// Counts the server's answer while it arrives, and reads it in parts. pg keeps every row until the statement ends, so a
// script that selects too much must lose its connection before that.
import type { Client } from 'pg';
import { type AppError, fail } from '#libs/errors';
import type { KeptReply } from '../replies/kept-reply.js';
import { isArrayType } from './script-values.js';

/** The maximum size of a script's answer, as the text for its caller; bytes. */
export const maxResultBytes = 16 * 1024 * 1024;
/** Overhead of a row besides its values: its braces, and its memory if it has no values. */
const rowBytes = 32;
/** Overhead of a value or an element of an array besides its text and the name of its column: quotes, colon, comma. */
const valueBytes = 6;
const comma = 0x2c;

/** How often an answer is in memory while it is written: its values, and its text. */
const copies = 2;

export interface ResultLimits {
  readonly maxBytes: number;
  /** Where the answer is counted: its values, and as much for its text. */
  readonly kept: KeptReply | undefined;
  /** Called once, when the answer is refused. */
  readonly onRefused: () => void;
}

export interface WatchedResult {
  /** The size so far, as the text for the caller; bytes. */
  readonly bytes: number;
  /** RESULT_TOO_LARGE or REPLY_SPACE_EXHAUSTED; the connection is closed then, so that nothing more is read. */
  readonly refusal: AppError | undefined;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Watches the answers to a client's query, reading one chunk in each turn of the event loop, and refuses them if there
 * are more than `maxBytes`, or no space for them.
 */
export function watchResult(
  client: Client,
  { maxBytes, kept, onRefused }: ResultLimits,
): WatchedResult {
  const { connection } = client;
  const { stream } = connection;
  let total = 0;
  let refusal: AppError | undefined;
  let perRow = rowBytes;
  let arrays: readonly number[] = [];
  const add = (bytes: number): void => {
    if (refusal) return;
    total += bytes;
    if (total > maxBytes) refusal = fail('RESULT_TOO_LARGE', { maxBytes });
    else if (kept?.takeMemory(copies * bytes) === false) refusal = kept.refuse();
    else return;
    stream.destroy();
    onRefused();
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
  return {
    get bytes() {
      return total;
    },
    get refusal() {
      return refusal;
    },
    stop() {
      stream.off('data', onData);
      connection.off('rowDescription', onFields);
      connection.off('dataRow', onRow);
    },
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
