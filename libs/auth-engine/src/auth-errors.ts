// Errors of the auth routes: the engine's `{message, code}` becomes the platform's error body, and what
// went wrong on our side is logged and says nothing to the caller.
import { AppError, type ErrorBody, ERRORS, fail, renderError } from '#libs/errors';
import { parseJson } from '#libs/wire';
import { fieldIn } from './fields.js';

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
  /** What an error of ours says beside its message. */
  readonly more: Pick<ErrorBody, 'details' | 'hint'>;
}

/** The error in an answer of the engine, whose body may be of any kind. */
export async function readEngineError(response: Response): Promise<EngineError> {
  const { status } = response;
  // Not every refusal of the engine has a body.
  const body = parseJson(await response.text());
  const code = textOf(body, 'code') ?? CODE_OF_STATUS[status] ?? 'AUTH_ERROR';
  const message = textOf(body, 'message') ?? 'The request was refused';
  const [details, hint] = [fieldIn(body, 'details'), textOf(body, 'hint')];
  const more = { ...(details !== undefined && { details }), ...(hint !== undefined && { hint }) };
  return { status, code, message, more };
}

/** The answer for an error of the engine. Cookies and other headers of `response` are kept. */
export function engineErrorResponse(
  error: EngineError,
  response: Response,
  requestId: string,
): Response {
  const same = SAME_AS[error.code];
  const { status, message, code } = same ? fail(same) : error;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const body: ErrorBody = { message, code, status, ...error.more, requestId };
  return new Response(JSON.stringify(body), { status, headers });
}

/** The answer for an error of ours. */
export function appErrorResponse(error: AppError, requestId: string): Response {
  const { status, headers, body } = renderError(error, requestId);
  return Response.json(body, { status, headers });
}

/**
 * Returns the part of a failure that the caller may see: an error of our table. The failure of a statement carries the
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
    if (fieldIn(error, 'constraint') === name) return true;
    error = error.cause;
  }
  return false;
}

/** Whether the database gave up a transaction for another one: a deadlock, or a transaction that cannot be serialized. */
export function isCollision(thrown: unknown): boolean {
  return thrown instanceof AppError && (thrown.code === '40P01' || thrown.code === '40001');
}

function textOf(body: unknown, name: string): string | undefined {
  const value = fieldIn(body, name);
  return typeof value === 'string' ? value : undefined;
}
