/** An answer that is an error, or no answer at all. */
export class Problem extends Error {
  constructor(
    message: string,
    /** For programs; `UNREACHABLE` if the server did not answer. */
    readonly code: string,
    readonly status: number,
    /** Names the request in the server's log; undefined if the server did not answer. */
    readonly requestId: string | undefined,
    /** When another try is allowed, for 423, 429 and 503. */
    readonly retryAfterSeconds: number | undefined,
    /** More about the error, by its code. */
    readonly details?: unknown,
    /** What to do about it. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The problem of an answer whose body is the console's error. */
export function problemOf(response: Response, body: unknown): Problem {
  const { message, code, details, hint } = errorIn(body);
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new Problem(
    message ?? `The server answered with status ${response.status}.`,
    code ?? 'UNKNOWN',
    response.status,
    response.headers.get('x-request-id') ?? undefined,
    Number.isFinite(wait) ? wait : undefined,
    details,
    hint,
  );
}

export function unreachable(): Problem {
  return new Problem(
    'The server could not be reached. Check the connection and try again.',
    'UNREACHABLE',
    0,
    undefined,
    undefined,
  );
}

/** Any thrown value as a problem that can be shown. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem(
    'The console received an answer that it cannot read. Load the page again.',
    'UNEXPECTED',
    0,
    undefined,
    undefined,
  );
}

interface ErrorBody {
  readonly message?: string;
  readonly code?: string;
  readonly details?: unknown;
  readonly hint?: string;
}

function errorIn(body: unknown): ErrorBody {
  if (typeof body !== 'object' || body === null) return {};
  const none = { message: undefined, code: undefined, details: undefined, hint: undefined };
  const { message, code, details, hint } = { ...none, ...body };
  return {
    details,
    ...(typeof message === 'string' && { message: sentence(message) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof hint === 'string' && { hint }),
  };
}

/** The messages of the API have no full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
