// What the watch over locks is told, and what it tells.
import type { EndReason } from './lock-sessions.js';
import type { LoginName } from './login-names.js';

export interface EndedSession {
  /** Undefined for a login that was made while the catalogs could not be read. */
  readonly login: LoginName | undefined;
  readonly reason: EndReason;
  /** Locks of the whole project, for `holds too many locks`. */
  readonly locks?: number;
}

/** A session that was to end and goes on: functions of PostgreSQL can run for minutes without a reaction. */
export interface StuckSession extends EndedSession {
  readonly pid: number;
}

export interface LockWatchReports {
  onEnded(session: EndedSession): void;
  /** Called once for each session that goes on and keeps others waiting. */
  onStuck(session: StuckSession): void;
  /** Called once when the watch cannot look, until it can again. */
  onFailure(error: unknown): void;
}

export interface LockWatchLimits {
  /** After what time a session that was to end counts as stuck; milliseconds, default 10 s. */
  readonly stuckMs?: number;
  /** How long a worker of autovacuum may run functions of a project; milliseconds, default 5 minutes. */
  readonly autovacuumMs?: number;
  /** After how many later transactions a session of a project is ended whose transaction is still open. */
  readonly oldTransactions?: number;
}
