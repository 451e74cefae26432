/**
 * Sends every request to the project: adds base address, headers of the client and retries to a single request, and
 * returns the answer with its body. It knows neither queries nor sessions.
 */
import { isBrowser } from './page.js';
import { type RetryPolicy, withRetries } from './retry.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body to send: text, or the content of a file. */
export type RequestBody =
  | string
  | Blob
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | DataView<ArrayBuffer>
  | FormData
  | ReadableStream<Uint8Array>;

/** Whether a body is read while it is sent. Checked by its shape: not every runtime has the class. */
export function isStream(body: WireRequest['body']): body is ReadableStream<Uint8Array> {
  return typeof body === 'object' && 'getReader' in body;
}

/** The parts of one request besides the headers and the address of the client. */
export interface WireRequest {
  readonly method: Method;
  /** Path below the address of the project, with the query string. */
  readonly path: string;
  /** By lower-case name; they override the client's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | URLSearchParams | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be retried; only GET and HEAD ever are. */
  readonly retries: boolean;
  /** Whether a page sends and stores cookies although the project is at another origin. Default: no. */
  readonly withCookies?: boolean | undefined;
  /** How the body of a successful answer is read. Default: as text. A stream is left unread, also in `response`. */
  readonly reads?: 'blob' | 'stream' | undefined;
}

/** An answer with its body. */
export interface WireAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Empty if the body was read as something else. */
  readonly text: string;
  readonly blob?: Blob;
  readonly stream?: ReadableStream<Uint8Array> | null;
  readonly response?: Response;
}

export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

export interface ExchangeOptions {
  /** The address of the project, without a trailing slash. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly retryPolicy: RetryPolicy;
}

/** Sends requests of one client. The exchange rejects with the error of `fetch`. */
export function createExchange(options: ExchangeOptions): Exchange {
  return async (request) => {
    const { method, path, body, signal, withCookies } = request;
    // Headers are a plain object: the fetch of React Native loses those of a Headers instance.
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: { ...options.headers, ...request.headers },
    };
    // Browsers send a stream over HTTP/2, if at all: there it is collected first.
    const content = isStream(body) && isBrowser() ? await new Response(body).blob() : body;
    if (content !== undefined) init.body = content;
    // The only way to send a stream is to send all of it before the answer is read (Fetch standard).
    if (isStream(content)) init.duplex = 'half';
    if (signal) init.signal = signal;
    if (withCookies) init.credentials = 'include';
    const { fetch } = options;
    const attempt = async (): Promise<WireAnswer> => {
      const response = await fetch(`${options.url}${path}`, init);
      const { status, statusText, headers, ok } = response;
      const start = { status, statusText, headers, text: '', response };
      if (ok && request.reads === 'blob') return { ...start, blob: await response.blob() };
      if (ok && request.reads === 'stream') return { ...start, stream: response.body };
      return { ...start, text: await response.text() };
    };
    const isSafe = method === 'GET' || method === 'HEAD';
    if (!isSafe || !request.retries) return attempt();
    return withRetries(attempt, options.retryPolicy, signal);
  };
}
