/** Bodies in JSON. JSON.stringify turns what JSON cannot hold into null or {}, or leaves it out; here it is an error. */
import { invalidInput } from './error.js';

/** Where a list or an object of a body is, and how many objects lead there, itself among them. */
interface Place {
  readonly path: string;
  readonly depth: number;
}

/**
 * JSON of a body. A bigint becomes text, which columns read as a number. So do NaN and Infinity as fields of a row or
 * an argument, and in lists there: a list may be JSON, but one with NaN is an array of numbers. In objects below they
 * are part of a JSON value, and are refused.
 * @param rowDepth the depth of rows or arguments; -1 for a body that has none
 * @throws RowhouseError INVALID_INPUT for a value that JSON cannot hold; the message names its path
 */
export function toJson(body: unknown, rowDepth = -1): string {
  const places = new Map<unknown, Place>();
  return JSON.stringify(body, function (this: Record<string, unknown>, key, value: unknown) {
    const holder = places.get(this) ?? { path: '', depth: 0 };
    const isInList = Array.isArray(this);
    if (typeof value === 'bigint') return String(value);
    if (isNoNumber(value) && holder.depth === rowDepth) return String(value);
    const inList = `${holder.path || (rowDepth < 0 ? 'body' : 'rows')}[${key}]`;
    const path = isInList ? inList : holder.path ? `${holder.path}.${key}` : key;
    if (isNoNumber(value) || isLost(this[key], value) || (isInList && value === undefined)) {
      const what = typeof value === 'function' ? 'a function' : String(this[key]);
      throw invalidInput(`${path || 'The value'} is ${what}, which JSON cannot hold`);
    }
    if (typeof value === 'object') {
      places.set(value, { path, depth: holder.depth + Number(!Array.isArray(value)) });
    }
    return value;
  });
}

function isNoNumber(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** Whether JSON loses a value: `given` as it is, `value` after its `toJSON`, which is null for an invalid date. */
function isLost(given: unknown, value: unknown): boolean {
  if (typeof value !== 'object') return typeof value === 'function' || typeof value === 'symbol';
  if (value === null) return given !== null;
  if (Array.isArray(value)) return false;
  // Objects of a class that keeps its content out of fields: Map, Set, Promise, Blob.
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && Object.keys(value).length === 0 && JSON.stringify(value) === '{}';
}
