import { AppError, fail } from './app-error.js';

/** The body of every error answer. */
export interface ErrorBody {
  readonly message: string;
  readonly code: string;
  readonly status: number;
  readonly details?: unknown;
  readonly hint?: string;
  readonly requestId: string;
}

export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/**
 * Returns the answer for any thrown value. Everything but an AppError becomes INTERNAL_ERROR: causes never leave the
 * server.
 */
export function renderError(thrown: unknown, requestId: string): RenderedError {
  const error = thrown instanceof AppError ? thrown : fail('INTERNAL_ERROR', {}, { cause: thrown });
  const { retryAfterSeconds } = error;
  const headers = {
    ...error.headers,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
  return {
    status: error.status,
    headers,
    body: {
      message: error.message,
      code: error.code,
      status: error.status,
      ...(error.details !== undefined && { details: error.details }),
      ...(error.hint !== undefined && { hint: error.hint }),
      requestId,
    },
  };
}
