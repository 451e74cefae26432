import { fail } from '#libs/errors';
import type { BodyShape, CallArguments, RestInput } from '../types/request.js';
import { readCsv } from './csv.js';
import { shorten } from './names.js';

/** What decides about the statement: rows for a table, or arguments of a function. */
export type BodyText =
  | { readonly kind: 'rows'; readonly rows: BodyShape }
  | { readonly kind: 'arguments'; readonly arguments: Exclude<CallArguments, { kind: 'named' }> };

export interface Body {
  readonly text: BodyText;
  /** The body as PostgreSQL reads it. */
  readonly parameter: string;
}

const JSON_TYPES: ReadonlySet<string> = new Set([
  '',
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json',
]);

/**
 * The body of POST and PATCH. It is read for its keys alone; PostgreSQL reads its values.
 * Throws PGRST102 and UNSUPPORTED_MEDIA_TYPE.
 */
export function readBody(input: RestInput): Body | undefined {
  if (input.method !== 'POST' && input.method !== 'PATCH') return undefined;
  const type = mediaType(input.headers.contentType);
  const body = input.body ?? '';
  return input.resource.kind === 'function'
    ? argumentsBody(type, body)
    : rowsBody(type, body, input.method === 'POST');
}

function mediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === 'application/json') return 'application/json';
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

// An insert always reads an array, so that one object and many rows share a statement.
function rowsBody(type: string, body: string, isInsert: boolean): Body {
  if (isInsert && type === 'text/csv') {
    const { keys, json } = readCsv(body);
    return rows({ kind: 'array', keys, isUniform: true }, json);
  }
  if (!JSON_TYPES.has(type)) throw unsupported(type);
  const shape = readBodyShape(body);
  return rows(shape, isInsert && shape.kind === 'object' ? `[${body}]` : body);
}

function rows(shape: BodyShape, parameter: string): Body {
  return { text: { kind: 'rows', rows: shape }, parameter };
}

function argumentsBody(type: string, body: string): Body {
  if (type === 'text/plain') return single('text', body);
  if (type === 'application/octet-stream') return single('bytes', body);
  if (!JSON_TYPES.has(type)) throw unsupported(type);
  // A function without arguments is called without a body.
  const parameter = body === '' ? '{}' : body;
  const value = parseJson(parameter);
  if (!isObject(value)) return single('json', parameter);
  return {
    text: { kind: 'arguments', arguments: { kind: 'object', keys: Object.keys(value) } },
    parameter,
  };
}

function single(type: 'json' | 'text' | 'bytes', parameter: string): Body {
  return { text: { kind: 'arguments', arguments: { kind: 'single', type } }, parameter };
}

function unsupported(type: string): Error {
  return fail('UNSUPPORTED_MEDIA_TYPE', { type: shorten(type) });
}

/** The keys of a JSON body that is an object or an array of objects. Throws PGRST102. */
export function readBodyShape(body: string): BodyShape {
  const value = parseJson(body);
  if (!Array.isArray(value)) {
    return { kind: 'object', keys: keysOf(value, 'the body'), isUniform: true };
  }
  const keys = new Set<string>();
  const sizes = new Set<number>();
  for (const [i, row] of value.entries()) {
    const rowKeys = keysOf(row, `element ${i} of the body`);
    for (const key of rowKeys) keys.add(key);
    sizes.add(rowKeys.length);
  }
  const isUniform = sizes.size === 0 || (sizes.size === 1 && sizes.has(keys.size));
  return { kind: 'array', keys: [...keys], isUniform };
}

function parseJson(body: string): unknown {
  if (body === '') throw fail('PGRST102', { reason: 'it is empty' });
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw fail('PGRST102', { reason: 'it is not JSON' }, { cause });
  }
}

function keysOf(value: unknown, what: string): readonly string[] {
  if (isObject(value)) return Object.keys(value);
  throw fail('PGRST102', { reason: `${what} is not an object` });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
