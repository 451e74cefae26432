// References to values of earlier results: `{"$ref": "/<operation>/<row>/<column>"}`, a JSON Pointer (RFC 6901) into
// the list of results. An operation can also be named by its `as`.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import type { ResultReference } from '../types/grammar.js';

/** Indexes of the operations that a pointer may name, by their number and by their name. */
export type EarlierOperations = ReadonlyMap<string, number>;

const REF = '$ref';
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,8})$/;

/** The pointer in a value that is an object with the single key `$ref` and a text; else undefined. */
export function pointerOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0) return undefined;
  const [key, pointer] = entry;
  return key === REF && typeof pointer === 'string' ? pointer : undefined;
}

/** Resolves `pointer`. Throws INVALID_INPUT, naming `field`, unless it leads to an earlier operation. */
export function parsePointer(
  pointer: string,
  field: string,
  earlier: EarlierOperations,
): ResultReference {
  const refuse = (reason: string) => fail('INVALID_INPUT', { field, reason });
  const parts = pointer.split('/').map(unescapePart);
  const [root, operationName = '', rowText = '', column = ''] = parts;
  if (parts.length !== 4 || root !== '' || column === '' || pointer.includes('\0')) {
    throw refuse('a reference is written /<operation>/<row>/<column>');
  }
  if (!WHOLE_NUMBER.test(rowText)) throw refuse('the row of a reference is a number from 0 on');
  const operation = earlier.get(operationName);
  if (operation === undefined) throw refuse('a reference leads to an earlier operation');
  return { operation, row: Number(rowText), column };
}

function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Whether a name looks like the number of an operation. */
export function looksLikeIndex(name: string): boolean {
  return /^\d+$/.test(name);
}
