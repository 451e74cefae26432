// Errors of the auth routes: the engine's `{message, code}` becomes the platform's error body, and what
// went wrong on our side is logged and says nothing to the caller.
import { AppError, databaseAway, ERRORS, fail, renderError } from '#libs/errors';

/** Codes of the engine that mean the same as one of ours. */
const SAME_AS: Readonly<Record<string, Parameters<typeof fail>[0]>> = {
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'USER_ALREADY_EXISTS',
};

const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** What the engine said in an error answer. */
export interface EngineError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The error in an answer of the engine, whose body may be of any kind. */
export async function readEngineError(response: Response): Promise<EngineError> {
  const { status } = response;
  const body = parsed(await response.text());
  const code = textOf(body, 'code') ?? CODE_OF_STATUS[status] ?? 'AUTH_ERROR';
  return { status, code, message: textOf(body, 'message') ?? 'The request was refused' };
}

/** The answer for an error of the engine. Cookies and other headers of `response` are kept. */
export function engineErrorResponse(
  error: EngineError,
  response: Response,
  requestId: string,
): Response {
  // The engine keeps code and message of an error of ours, and neither details nor the time to wait.
  if (error.code === 'DATABASE_UNAVAILABLE') {
    return appErrorResponse(databaseAway(undefined), requestId);
  }
  const same = SAME_AS[error.code];
  const { status, message, code } = same ? fail(same) : error;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify({ message, code, status, requestId }), { status, headers });
}

/** The answer for an error of ours. */
export function appErrorResponse(error: AppError, requestId: string): Response {
  const { status, headers, body } = renderError(error, requestId);
  return Response.json(body, { status, headers });
}

/**
 * What of a failure the caller may see: errors of our table. The failure of a statement carries the
 * database's own code and words, and the statement was ours and not the caller's.
 */
export function showable(thrown: unknown): AppError {
  if (thrown instanceof AppError && Object.hasOwn(ERRORS, thrown.code)) return thrown;
  return fail('INTERNAL_ERROR', {}, { cause: thrown });
}

/** Whether a failure, or one behind it, is a violation of the constraint `name`. */
export function violates(thrown: unknown, name: string): boolean {
  let error = thrown;
  while (error instanceof Error) {
    if (Reflect.get(error, 'constraint') === name) return true;
    error = error.cause;
  }
  return false;
}

/** Whether the database gave up a transaction for another one: a deadlock, or one that cannot be serialized. */
export function isCollision(thrown: unknown): boolean {
  return thrown instanceof AppError && (thrown.code === '40P01' || thrown.code === '40001');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Not every refusal of the engine has a body.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : undefined;
}
