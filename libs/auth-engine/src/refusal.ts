// Refusals of ours in places where the engine understands only its own errors.
import { APIError } from 'better-auth/api';
import { AppError } from '#libs/errors';

/** The engine's error for one of ours: its status, code and message reach the caller unchanged. */
export function refusal({ status, code, message }: AppError): APIError {
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
