// Refusals of ours in places where the engine understands only its own errors.
import { APIError } from 'better-auth/api';
import { AppError, ERRORS } from '#libs/errors';

/**
 * The engine's error for one of ours: its status, code and message reach the caller unchanged. A failure of
 * the database is thrown as it is: its code is not of our table, and its words are not for the caller.
 */
export function refusal(error: AppError): APIError {
  const { status, code, message } = error;
  if (!Object.hasOwn(ERRORS, code)) throw error;
  return new APIError(undefined, { code, message }, {}, status);
}

/** Runs a check of ours; what it throws becomes an error of the engine. */
export function refusable(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof AppError ? refusal(error) : error;
  }
}

/** Whether a value is an object with fields, which a body must be. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
