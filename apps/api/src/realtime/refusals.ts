// What clients of sockets are refused with, and the lines of the log about it.
import { AppError, fail, fromOutage } from '#libs/errors';

import type { SocketDeps } from './socket-deps.js';

/** Returns the error that the client sees: an unknown one becomes INTERNAL_ERROR, with itself as the cause. */
export function publicError(thrown: unknown): AppError {
  const error = fromOutage(thrown);
  return error instanceof AppError ? error : fail('INTERNAL_ERROR', {}, { cause: error });
}

/**
 * Logs a refusal: `info`, or `error` with the cause from 500 on. `event` is `connect` or the name of a frame. No field is
 * another value that the client sent.
 */
export function logRefusal(
  log: SocketDeps['log'],
  error: AppError,
  { project, event }: { readonly project: string | undefined; readonly event: string },
): void {
  const { code, status } = error;
  const facts = { project, event, code, status };
  if (status < 500) log.info(facts, 'a socket was refused');
  else log.error({ ...facts, err: error.cause ?? error }, 'a socket failed');
}
