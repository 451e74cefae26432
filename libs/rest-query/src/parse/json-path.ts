import type { FieldName, JsonStep } from '../types/grammar.js';
import { MAX_PATH_STEPS } from './limits.js';
import { checkLimit, shorten, syntaxError, type Cursor } from './names.js';

/** Longer numbers are keys: PostgreSQL's index is a four-byte integer. */
const INDEX = /^-?\d{1,9}$/;

/** The ends of names and keys of a field, besides `->`: global expressions for `readName`. */
export interface FieldStops {
  readonly name: RegExp;
  readonly key: RegExp;
}

/** Parses `column` and the path after it. Throws PGRST100. */
export function readField(cursor: Cursor, stops: FieldStops): FieldName {
  const name = cursor.readName(stops.name).text;
  if (name === '') throw syntaxError(`a column name is missing in ${shorten(cursor.text)}`);
  return { name, path: readPath(cursor, stops.key) };
}

/**
 * Parses `->key->0->>key`, which may be empty. A number is an index unless it is quoted. Throws PGRST100 for a missing
 * key and for `->>` before the end.
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
      throw syntaxError(`${shorten(key)} is not an index; put a key that begins with - in quotes`);
    }
    if (path.at(-1)?.isText) {
      throw syntaxError(`->> returns text and must end the path, in ${shorten(cursor.text)}`);
    }
    path.push({ kind: isIndex ? 'index' : 'key', key, isText });
    checkLimit(path.length, MAX_PATH_STEPS, 'steps in a JSON path');
  }
  return path;
}
