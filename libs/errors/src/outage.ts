// Decides which foreign errors mean that the database is unavailable. PostgreSQL, its driver, TypeORM and the system
// report that differently; callers receive one error for all of them.
import { AppError, fail } from './app-error.js';

/**
 * SQLSTATEs of a server that accepts no work (PostgreSQL manual, appendix A): connection exception, operator
 * intervention (stopped, crashed, starting up, in recovery), and no connection left.
 */
const awayState = /^(?:08...|57P0.|53300)$/;

/** System errors of a socket. */
const SOCKET_FAULTS: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** System errors of `connect` alone: of a Unix socket whose server has ended, or has as many waiting as it takes. */
const CONNECT_FAULTS: ReadonlySet<unknown> = new Set(['EAGAIN', 'ENOENT']);

/** Errors of TypeORM: the connection of a query runner was lost between two statements. */
const LOST_RUNNERS: ReadonlySet<unknown> = new Set([
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
  'TransactionNotStartedError',
]);

/**
 * Errors of the driver and of TypeORM that are recognised by their message, because they have neither a code nor a name
 * of their own.
 */
const lostConnection = new RegExp(
  [
    '^Connection terminated',
    '^timeout exceeded when trying to connect',
    '^timeout expired',
    '^Query read timeout',
    '^Client has encountered a connection error',
    '^Client was closed and is not queryable',
    '^Cannot use a pool after calling end on the pool',
    '^Driver not Connected',
    '^Connection with postgres database is not established',
    '^the database system is (?:starting up|shutting down|in recovery mode|not accepting connections|not yet accepting connections)',
  ].join('|'),
);

/** Whether a SQLSTATE means that the server accepts no work. */
export function isAwayState(state: string): boolean {
  return awayState.test(state);
}

/** Returns the error of a database that cannot be reached: DATABASE_UNAVAILABLE (503). */
export function databaseAway(cause: unknown): AppError {
  const details = { reason: 'disconnected' };
  return fail('DATABASE_UNAVAILABLE', {}, { cause, details, retryAfterSeconds: 1 });
}

/**
 * Returns DATABASE_UNAVAILABLE for an error that means that the database is unavailable, and any other value unchanged.
 */
export function fromOutage(thrown: unknown): unknown {
  return !(thrown instanceof AppError) && isOutage(thrown) ? databaseAway(thrown) : thrown;
}

/** The properties by which errors differ. */
type Fact = 'code' | 'name' | 'message' | 'syscall' | 'driverError';

/** Whether a foreign error means that the database is unavailable. */
export function isOutage(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { code, name, message, syscall, driverError }: Partial<Record<Fact, unknown>> = thrown;
  // TypeORM wraps the error of the driver.
  if (typeof driverError === 'object' && driverError !== null) return isOutage(driverError);
  return (
    (typeof code === 'string' && isAwayState(code)) ||
    SOCKET_FAULTS.has(code) ||
    (syscall === 'connect' && CONNECT_FAULTS.has(code)) ||
    LOST_RUNNERS.has(name) ||
    (code === undefined && typeof message === 'string' && lostConnection.test(message))
  );
}
