/**
 * Calls of the storage routes, and the parts of their addresses. Refusals of the server are thrown here; every public
 * method converts them to results with `attempt`.
 */
import { refusal } from '../answer.js';
import { needTexts } from '../auth/wire.js';
import { toJson } from '../body.js';
import { queryText } from '../encode.js';
import { invalidInput, RowhouseError } from '../error.js';
import { isRecord, parseJson } from '../json.js';
import type { Exchange, Method, WireAnswer, WireRequest } from '../request.js';
import { defaultRetryPolicy, withRetries } from '../retry.js';
import type { StorageFile } from './types.js';

export interface StorageCall extends Partial<Omit<WireRequest, 'method' | 'path'>> {
  /** Fields that are undefined are not sent. */
  readonly query?: object;
  /** The body as JSON, instead of `body`. */
  readonly json?: object;
}

/** URLs lose empty parts, `.` and the part before `..`: another file would answer. */
const unaddressable = /(?:^|\/)\.{0,2}(?:\/|$)|\p{Cs}/u;

/**
 * Sends a request; reads are retried after a failure.
 * @throws RowhouseError if the server refuses it
 */
export async function ask(
  exchange: Exchange,
  [method, path]: readonly [Method, string],
  { query = {}, json, ...call }: StorageCall = {},
): Promise<WireAnswer> {
  const answer = await exchange({
    method,
    path: `${path}${queryText(query)}`,
    retries: true,
    ...call,
    headers: { ...(json && { 'content-type': 'application/json' }), ...call.headers },
    ...(json && { body: toJson(json) }),
  });
  if (answer.status >= 400) throw refusal(answer).error;
  return answer;
}

/** The fields of an answer in JSON. The routes answer in the shapes that their callers declare. */
export function fieldsOf<Fields>({ text, status }: WireAnswer): Fields {
  const fields = parseJson(text);
  if (!isRecord(fields)) throw new RowhouseError('The answer is not JSON', { status, code: '' });
  return fields as Fields;
}

/** Sends a request and returns the data of its answer. */
export async function askData<Data>(
  exchange: Exchange,
  route: readonly [Method, string],
  call?: StorageCall,
): Promise<Data> {
  return fieldsOf<{ readonly data: Data }>(await ask(exchange, route, call)).data;
}

/** The file of an upload whose content has arrived. May be repeated, so it is retried after a failure. */
export async function finalize(
  exchange: Exchange,
  id: string,
  signal: AbortSignal | undefined,
): Promise<StorageFile> {
  const path = `/api/files/${encodePath(id)}/finalize`;
  const attempt = () => exchange({ method: 'POST', path, headers: {}, signal, retries: false });
  const answer = await withRetries(attempt, defaultRetryPolicy, signal);
  if (answer.status >= 400) throw refusal(answer).error;
  return fieldsOf<{ readonly data: StorageFile }>(answer).data;
}

/**
 * A path as the end of an address.
 * @throws RowhouseError if the address would be that of another file
 */
export function encodePath(path: string): string {
  needTexts({ path });
  if (unaddressable.test(path)) {
    throw invalidInput('path: it has a part that is empty, "." or "..", or half a character');
  }
  return path.split('/').map(encodeURIComponent).join('/');
}

/**
 * Returns the options of a call, or those inside the option `within`. JavaScript has no compiler that finds a misspelt
 * name, and an option that is ignored does harm: a signed address without its `transform` shares the full picture.
 * @throws RowhouseError INVALID_INPUT for an option that is not among the names
 */
export function known<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
  within?: string,
): Options {
  const place = within ? `${within}.` : '';
  for (const name in options) {
    if (names.includes(name)) continue;
    throw invalidInput(`Unknown option: ${place}${name}. Use ${names.join(', ')}`);
  }
  return options;
}

/** The slug of a bucket as one part of an address. */
export function encodeSlug(bucket: string): string {
  return encodePath(bucket).replaceAll('/', '%2F');
}
