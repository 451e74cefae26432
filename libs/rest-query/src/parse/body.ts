import { Buffer } from 'node:buffer';

import { fail } from '#libs/errors';
import type { BodyShape, CallArguments, RestInput } from '../types/request.js';
import { decodeUtf8, type Steps } from '#libs/steps';
import type { ParameterValue } from '#libs/wire';
import { readCsv } from './csv.js';
import { isBlank, OPEN_ARRAY, OPEN_OBJECT, scanJson } from './json-scan.js';
import { shorten } from './names.js';

/** The part that decides the statement: rows for a table, or arguments of a function. */
export type BodyText =
  | { readonly kind: 'rows'; readonly rows: BodyShape }
  | { readonly kind: 'arguments'; readonly arguments: Exclude<CallArguments, { kind: 'named' }> };

export interface Body {
  readonly text: BodyText;
  /** The body in the form that PostgreSQL reads. */
  readonly parameter: ParameterValue;
}

const NO_BYTES = Buffer.alloc(0);
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const NO_ARGUMENTS = Buffer.from('{}');

/** Far more than a table has columns. */
const MAX_KEYS = 10_000;

const JSON_TYPES: ReadonlySet<string> = new Set([
  '',
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json',
]);

/** Whether the body of the request is read: that of POST and PATCH. */
export function hasBody({ method }: RestInput): boolean {
  return method === 'POST' || method === 'PATCH';
}

/**
 * Reads the body of POST and PATCH, in steps. Only its keys are read; PostgreSQL reads its values. Throws PGRST102 and
 * UNSUPPORTED_MEDIA_TYPE.
 */
export function* readBody(input: RestInput): Steps<Body | undefined> {
  if (!hasBody(input)) return undefined;
  const type = mediaType(input.headers.contentType);
  const body = input.body ?? NO_BYTES;
  return input.resource.kind === 'function'
    ? yield* argumentsBody(type, body)
    : yield* rowsBody(type, body, input.method === 'POST');
}

function mediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === 'application/json') return 'application/json';
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

// An insert always reads an array, so that one object and many rows share a statement.
function* rowsBody(type: string, body: Buffer, isInsert: boolean): Steps<Body> {
  if (isInsert && type === 'text/csv') {
    const { keys, json } = yield* readCsv(yield* decodeUtf8(body));
    return rows({ kind: 'array', keys, isUniform: true }, json);
  }
  if (!JSON_TYPES.has(type)) throw unsupported(type);
  const shape = yield* readBodyShape(body);
  return rows(shape, isInsert && shape.kind === 'object' ? [OPEN, body, CLOSE] : [body]);
}

function rows(shape: BodyShape, parameter: ParameterValue): Body {
  return { text: { kind: 'rows', rows: shape }, parameter };
}

function* argumentsBody(type: string, body: Buffer): Steps<Body> {
  if (type === 'text/plain') return single('text', body);
  if (type === 'application/octet-stream') return single('bytes', body);
  if (!JSON_TYPES.has(type)) throw unsupported(type);
  // A function without arguments is called without a body.
  const json = body.length === 0 ? NO_ARGUMENTS : body;
  const keys = new Keys();
  let isObject = false;
  yield* scanJson(json, 1, ({ depth, key, start }) => {
    if (depth === 0) isObject = json[start] === OPEN_OBJECT;
    else if (key !== undefined) keys.add(key, 0);
  });
  if (!isObject) return single('json', json);
  return {
    text: { kind: 'arguments', arguments: { kind: 'object', keys: keys.names } },
    parameter: [json],
  };
}

function single(type: 'json' | 'text' | 'bytes', body: Buffer): Body {
  return { text: { kind: 'arguments', arguments: { kind: 'single', type } }, parameter: [body] };
}

function unsupported(type: string): Error {
  return fail('UNSUPPORTED_MEDIA_TYPE', { type: shorten(type) });
}

/** The keys of a JSON body that is an object or an array of objects. Throws PGRST102. */
export function* readBodyShape(body: Buffer): Steps<BodyShape> {
  if (body.length === 0) throw fail('PGRST102', { reason: 'it is empty' });
  const isArray = body[skipBlanks(body)] === OPEN_ARRAY;
  const rowDepth = isArray ? 1 : 0;
  const keys = new Keys();
  const sizes = new Set<number>();
  let row = 0;
  let size = 0;
  yield* scanJson(body, rowDepth + 1, ({ depth, key, start }) => {
    if (depth > rowDepth) size += key === undefined ? 0 : keys.add(key, row);
    else if (depth === rowDepth) {
      refuseOther(body, start, isArray ? `element ${row} of the body` : 'the body');
      sizes.add(size);
      size = 0;
      row++;
    }
  });
  const { names } = keys;
  if (!isArray) return { kind: 'object', keys: names, isUniform: true };
  const isUniform = sizes.size === 0 || (sizes.size === 1 && sizes.has(names.length));
  return { kind: 'array', keys: names, isUniform };
}

function skipBlanks(body: Buffer): number {
  let at = 0;
  while (isBlank(body[at])) at++;
  return at;
}

function refuseOther(body: Buffer, start: number, what: string): void {
  if (body[start] === OPEN_OBJECT) return;
  throw fail('PGRST102', { reason: `${what} is not an object` });
}

/** Keys of rows, each once. */
class Keys {
  /** The last row in which a key occurred. */
  readonly #rowByKey = new Map<string, number>();

  /** 1 if the key is new in this row, else 0. */
  add(key: string, row: number): 0 | 1 {
    const known = this.#rowByKey.get(key);
    if (known === row) return 0;
    if (known === undefined && this.#rowByKey.size === MAX_KEYS) {
      throw fail('PGRST102', { reason: `it has more than ${MAX_KEYS} different keys` });
    }
    this.#rowByKey.set(key, row);
    return 1;
  }

  /** In order of first appearance. */
  get names(): readonly string[] {
    return [...this.#rowByKey.keys()];
  }
}
