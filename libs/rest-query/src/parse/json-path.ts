import type { FieldName, JsonStep } from '../types/grammar.js';
import { MAX_PATH_STEPS } from './limits.js';
import { checkLimit, shorten, syntaxError, type Cursor } from './names.js';

/** Longer numbers are keys: PostgreSQL's index is an integer of four bytes. */
const INDEX = /^-?\d{1,9}$/;

/** Where the names and the keys of a field end, besides `->`: global expressions for `readName`. */
export interface FieldStops {
  readonly name: RegExp;
  readonly key: RegExp;
}

/** Reads `column` and the path behind it. Throws PGRST100. */
export function readField(cursor: Cursor, stops: FieldStops): FieldName {
  const name = cursor.readName(stops.name).text;
  if (name === '') throw syntaxError(`a column name is missing in ${shorten(cursor.text)}`);
  return { name, path: readPath(cursor, stops.key) };
}

/**
 * Reads `->key->0->>key`, which may be nothing. A number is an index unless it is quoted.
 * Throws PGRST100 for a missing key and for `->>` before the end.
 */
export function readPath(cursor: Cursor, stop: RegExp): readonly JsonStep[] {
  const path: JsonStep[] = [];
  while (cursor.take('->')) {
    const isText = cursor.take('>');
    const { text: key, isQuoted } = cursor.readName(stop);
    if (key === '' && !isQuoted) {
      throw syntaxError(`a key is missing in ${shorten(cursor.text)}`);
    }
    const isIndex = !isQuoted && INDEX.test(key);
    if (!isQuoted && !isIndex && key.startsWith('-')) {
      throw syntaxError(`${shorten(key)} is no index; a key that begins with - stands in quotes`);
    }
    if (path.at(-1)?.isText) {
      throw syntaxError(`->> gives text and ends a path, in ${shorten(cursor.text)}`);
    }
    path.push({ kind: isIndex ? 'index' : 'key', key, isText });
    checkLimit(path.length, MAX_PATH_STEPS, 'steps in a JSON path');
  }
  return path;
}
