/**
 * Calls of the account routes: sends a path and values, and returns the parsed body. Failures are thrown here; every
 * public method converts them to results with `answered`.
 */
import { refusal } from '../answer.js';
import { toJson } from '../body.js';
import { queryText } from '../encode.js';
import { invalidInput, RowhouseError, unreachable } from '../error.js';
import { parseJson } from '../json.js';
import type { Exchange, Method } from '../request.js';

/** The result of every method of the accounts: test `error` before using `data`. */
export type AuthAnswer<Data, Nothing = null> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: Nothing; readonly error: RowhouseError };

type HeaderRecord = Readonly<Record<string, string>>;

interface CallValues {
  /** Fields that are undefined are not sent. */
  readonly query?: object;
  readonly body?: object;
  readonly headers?: HeaderRecord;
  readonly withCookies?: boolean | undefined;
}

export interface WireReply<Data> {
  readonly data: Data;
  readonly headers: Headers;
}

export class Wire {
  readonly #exchange: Exchange;
  readonly #base: string;

  constructor(exchange: Exchange, base: string) {
    this.#exchange = exchange;
    this.#base = base;
  }

  async get<Data>(path: string, query: object = {}): Promise<Data> {
    return (await this.call<Data>('GET', path, { query })).data;
  }

  async post<Data>(path: string, body: object = {}, headers: HeaderRecord = {}): Promise<Data> {
    return (await this.call<Data>('POST', path, { body, headers })).data;
  }

  /** A POST that returns the headers of its answer, too. */
  submit(path: string, body: object, headers: HeaderRecord = {}): Promise<WireReply<unknown>> {
    return this.call('POST', path, { body, headers });
  }

  /** One call with all its parts, and the headers of its answer. */
  async call<Data>(
    method: Method,
    path: string,
    { query = {}, body, headers = {}, withCookies }: CallValues = {},
  ): Promise<WireReply<Data>> {
    const answer = await this.#exchange({
      method,
      path: `${this.#base}${path}${queryText(query)}`,
      headers: body ? { 'content-type': 'application/json', ...headers } : headers,
      ...(body && { body: toJson(body) }),
      retries: true,
      withCookies,
    });
    if (answer.status >= 400) throw refusal(answer).error;
    const parsed = answer.text === '' ? null : parseJson(answer.text);
    if (parsed === undefined) {
      throw new RowhouseError('The answer is not JSON', { status: answer.status, code: '' });
    }
    // The routes answer in the shapes that their callers declare.
    return { data: parsed as Data, headers: answer.headers };
  }
}

/** Runs a call so that every failure is a result, with `nothing` as its data. */
export async function answered<Data, Nothing = null>(
  work: () => Promise<Data>,
  nothing: Nothing,
): Promise<AuthAnswer<Data, Nothing>> {
  try {
    return { data: await work(), error: null };
  } catch (thrown) {
    return { data: nothing, error: unreachable(thrown) };
  }
}

/** The same for calls whose data is null if they fail. */
export function attempt<Data>(work: () => Promise<Data>): Promise<AuthAnswer<Data>> {
  return answered(work, null);
}

/**
 * Throws unless all fields are texts and not empty.
 * @throws RowhouseError INVALID_INPUT, with the status that the server would return
 */
export function needTexts(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value === '') throw invalidInput(`${name} is required`);
  }
}

/** The error of an operation of the page itself. No request was sent. */
export function localError(code: string, message: string, cause?: unknown): RowhouseError {
  return new RowhouseError(message, { status: 0, code, cause });
}

/** The error of a method that requires a signed-in user. */
export function noSession(message = 'No user is signed in'): RowhouseError {
  return new RowhouseError(message, { status: 401, code: 'UNAUTHORIZED' });
}
