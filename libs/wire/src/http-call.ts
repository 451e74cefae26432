/** A request that the server sends to another server. */
export interface HttpRequest {
  readonly url: string;
  /** GET by default. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole call, from the lookup of the name to the last byte; 5000 by default. */
  readonly timeoutMs?: number;
  /** Limit of the answer's body, inflated; 1 MiB by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request and returns the answer, of which the caller reads the fields `Read`. Resolves for every status.
 * Rejects if there is no answer.
 */
export type HttpCall<Read extends keyof HttpAnswer = keyof HttpAnswer> = (
  request: HttpRequest,
) => Promise<Pick<HttpAnswer, Read>>;
