// The input and the reports of the watch over locks.
import type { EndReason } from './lock-sessions.js';
import type { LoginName } from './login-names.js';

export interface EndedSession {
  /** Undefined for a login that was created while the catalogs could not be read. */
  readonly login: LoginName | undefined;
  readonly reason: EndReason;
  /** Locks of the whole project, for `holds too many locks`. */
  readonly locks?: number;
}

/** A session that was ended but continues: functions of PostgreSQL can run for minutes without checking for it. */
export interface StuckSession extends EndedSession {
  readonly pid: number;
}

export interface LockWatchReports {
  onEnded(session: EndedSession): void;
  /** Called once for each session that continues and keeps others waiting. */
  onStuck(session: StuckSession): void;
  /** Called once when the watch loses its connection, until it works again. */
  onFailure(error: unknown): void;
}

export interface LockWatchLimits {
  /** After this time an ended session that continues counts as stuck; milliseconds, default 10 s. */
  readonly stuckMs?: number;
  /** How long a worker of autovacuum may run functions of a project; milliseconds, default 5 minutes. */
  readonly autovacuumMs?: number;
  /** A session of a project is ended if its transaction is still open after this number of later transactions. */
  readonly oldTransactions?: number;
}
