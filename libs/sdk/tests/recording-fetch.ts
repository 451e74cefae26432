/** A `fetch` that keeps what is sent and answers from a list; after its end the last answer comes again. */
export interface Sent {
  readonly method: string;
  /** Path and query, with the query decoded: what the server reads. */
  readonly target: string;
  readonly path: string;
  readonly params: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined for a request without one. */
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** An answer, an error to reject with, or a function that returns the answer. */
export type Step = Reply | Error | ((sent: Sent) => Reply | Promise<Reply>);

export interface RecordingFetch {
  readonly fetch: typeof fetch;
  readonly sent: Sent[];
}

export function recordingFetch(...steps: readonly Step[]): RecordingFetch {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted();
      const request = readRequest(String(input instanceof Request ? input.url : input), init);
      sent.push(request);
      const step = steps[Math.min(sent.length, steps.length) - 1] ?? { body: [] };
      if (step instanceof Error) throw step;
      const reply = typeof step === 'function' ? await step(request) : step;
      return toResponse(reply);
    },
  };
}

function readRequest(address: string, init: RequestInit | undefined): Sent {
  const url = new URL(address);
  return {
    method: init?.method ?? 'GET',
    target: decodeURIComponent(`${url.pathname}${url.search}`),
    path: url.pathname,
    params: [...url.searchParams],
    headers: Object.fromEntries(new Headers(init?.headers)),
    body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
  };
}

function toResponse({ status = 200, headers = {}, body }: Reply): Response {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return new Response(text ?? null, { status, headers: { ...headers } });
}
