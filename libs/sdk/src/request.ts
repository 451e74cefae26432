/**
 * The way of every request to the project: base address, headers of the client, retries. In comes what
 * one request adds; out comes the answer with its body read. It knows neither queries nor sessions.
 */
import { type RetryPolicy, withRetries } from './retry.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

/** What one request adds to the headers and the address of the client. */
export interface WireRequest {
  readonly method: Method;
  /** Path below the address of the project, with the query string. */
  readonly path: string;
  /** By lower-case name; they replace the client's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be sent again; only GET and HEAD ever are. */
  readonly retries: boolean;
  /** Whether a page sends and keeps cookies though the project is at another origin. Default: no. */
  readonly withCookies?: boolean | undefined;
}

/** An answer with its body read. */
export interface WireAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
}

export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

export interface ExchangeOptions {
  /** The address of the project, without a slash at its end. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly retryPolicy: RetryPolicy;
}

/** Sends requests of one client. The exchange rejects with what `fetch` rejects with. */
export function createExchange(options: ExchangeOptions): Exchange {
  return async (request) => {
    const { method, path, body, signal, withCookies } = request;
    // Headers go as a plain object: the fetch of React Native loses those of a Headers instance.
    const init: RequestInit = { method, headers: { ...options.headers, ...request.headers } };
    if (body !== undefined) init.body = body;
    if (signal) init.signal = signal;
    if (withCookies) init.credentials = 'include';
    const { fetch } = options;
    const attempt = async (): Promise<WireAnswer> => {
      const response = await fetch(`${options.url}${path}`, init);
      const { status, statusText, headers } = response;
      return { status, statusText, headers, text: await response.text() };
    };
    const isSafe = method === 'GET' || method === 'HEAD';
    if (!isSafe || !request.retries) return attempt();
    return withRetries(attempt, options.retryPolicy, signal);
  };
}
