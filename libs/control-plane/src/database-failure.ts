import { AppError, fail } from '#libs/errors';
import { QueryFailedError } from 'typeorm';

// Classes of SQLSTATE that say that the server, not the statement, is the trouble (PostgreSQL manual,
// appendix A): connection exception, insufficient resources, operator intervention.
const unreachable = /^(08|53|57)...$/;
const socketFaults = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE']);
// The driver gives these no code.
const terminated = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** DATABASE_UNAVAILABLE for a failure of the control-plane database itself; anything else as it is. */
export function fromDatabaseFailure(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const source: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (typeof source !== 'object' || source === null) return thrown;
  const { code = '', message = '' }: { code?: unknown; message?: unknown } = source;
  const isUnavailable =
    socketFaults.has(String(code)) ||
    unreachable.test(String(code)) ||
    terminated.test(String(message));
  if (!isUnavailable) return thrown;
  return fail('DATABASE_UNAVAILABLE', {}, { cause: thrown, retryAfterSeconds: 1 });
}
