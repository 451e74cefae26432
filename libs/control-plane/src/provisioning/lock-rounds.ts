// Rounds over the sessions, one after the other: which of them make others wait, which of those end, and which do not.
import pg from 'pg';
import {
  dropWaitMs,
  queueWaitMs,
  type EndReason,
  findSessions,
  type FoundSession,
  victimsOf,
} from './lock-sessions.js';
import type { LockWatchLimits, LockWatchReports } from './lock-reports.js';
import { LoginNames, type SessionIds } from './login-names.js';
import { LastingBlockers } from './lasting-blockers.js';
import { SeenSince } from './seen-since.js';

/**
 * Ending a session reads its role. This statement makes the server cache the roles, so that it needs no lock for them
 * later, when no lock may be left. Its result changes with new roles or databases.
 */
const rememberRoles = `
  select pg_catalog.count(pg_catalog.pg_get_userbyid(oid)) || ' ' || pg_catalog.max(oid) || ' ' || (
    select pg_catalog.count(oid) || ' ' || pg_catalog.max(oid) from pg_catalog.pg_database
  ) as present
  from pg_catalog.pg_authid`;
/** SQLSTATE out_of_memory, of the table of locks. */
const noLockLeft = '53200';

const blockingKinds: ReadonlySet<EndReason> = new Set(['blocks others', 'waits for a shared lock']);

/** At this multiple of the share of one project, the table of locks is almost full. */
const fillingShares = 2.5;
/** How long a session that fills the table of locks may continue; milliseconds. */
const fullTableMs = 3_000;
/** How long an ended session is remembered; milliseconds. */
const rememberMs = 3_600_000;

interface Ending {
  readonly since: number;
  isStuck: boolean;
}

export interface Rule extends Required<LockWatchLimits> {
  /** How many locks the sessions of one project may hold. */
  readonly lockLimit: number;
}

/** The rounds of one connection, one after the other. */
export class Rounds {
  private readonly names: LoginNames;
  /** Sessions that were ended. */
  private readonly ending = new Map<string, Ending>();
  /** Sessions that may continue for a while. */
  private readonly lasting = new SeenSince();
  private readonly blockers = new LastingBlockers();
  private present: string | undefined;

  constructor(
    private readonly client: pg.Client,
    private readonly rule: Rule,
    private readonly reports: Pick<LockWatchReports, 'onEnded' | 'onStuck'>,
  ) {
    this.names = new LoginNames(client);
  }

  /** Runs one round. Returns whether a session was ended. */
  async run(): Promise<boolean> {
    await this.rememberRoles();
    const { rows } = await this.client.query<FoundSession>(findSessions, [
      this.rule.oldTransactions,
    ]);
    await this.names.learn(rows.flatMap((row) => [row, ...victimsOf(row)]));
    const guilty = new Map<string, FoundSession>();
    const found = [
      ...this.findHoldersOfMany(rows),
      ...this.findBlockers(rows),
      ...this.findLasting(rows),
    ];
    for (const row of found) {
      guilty.set(keyOf(row), row);
    }
    const pids = [...guilty.values()].map(({ pid }) => pid);
    if (pids.length > 0) {
      await this.client.query(
        'select pg_catalog.pg_terminate_backend(pid) from pg_catalog.unnest($1::pg_catalog.int4[]) as ended (pid)',
        [pids],
      );
    }
    const isTableFilling = sumOfLocks(rows) > this.rule.lockLimit * fillingShares;
    for (const [key, row] of guilty) this.report(key, row, isTableFilling);
    return guilty.size > 0;
  }

  private report(key: string, row: FoundSession, isTableFilling: boolean): void {
    const { kind, pid, locks } = row;
    const session = {
      login: this.names.find(row),
      reason: kind,
      ...(kind === 'holds too many locks' && { locks }),
    };
    const now = performance.now();
    for (const [old, { since }] of this.ending)
      if (now - since > rememberMs) this.ending.delete(old);
    const ending = this.ending.get(key);
    if (ending === undefined) {
      this.ending.set(key, { since: now, isStuck: false });
      this.reports.onEnded(session);
      return;
    }
    const keepsOthers =
      blockingKinds.has(kind) || (kind === 'holds too many locks' && isTableFilling);
    if (ending.isStuck || !keepsOthers || now - ending.since < this.patienceWith(kind)) return;
    ending.isStuck = true;
    this.reports.onStuck({ ...session, pid });
  }

  /** A full table of locks stops all projects at once. */
  private patienceWith(kind: EndReason): number {
    const { stuckMs } = this.rule;
    return kind === 'holds too many locks' ? Math.min(fullTableMs, stuckMs) : stuckMs;
  }

  private async rememberRoles(): Promise<void> {
    try {
      const { rows } = await this.client.query<{ present: string }>(rememberRoles);
      const present = rows[0]?.present;
      if (present !== this.present) await this.names.read();
      this.present = present;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === noLockLeft)) throw error;
    }
  }

  /** Returns the sessions that block other projects, and those that wait for a lock that every new session needs. */
  private findBlockers(rows: readonly FoundSession[]): readonly FoundSession[] {
    const projectOf = (ids: SessionIds) => this.names.find(ids)?.databaseId;
    const waiting = rows.filter(
      (row) => row.kind === 'waits for a shared lock' && projectOf(row) !== undefined,
    );
    return [...this.blockers.find(rows, projectOf, performance.now()), ...waiting];
  }

  /** Returns the sessions of projects that have been found for longer than allowed. */
  private findLasting(rows: readonly FoundSession[]): readonly FoundSession[] {
    const limits: Partial<Record<EndReason, number>> = {
      'keeps autovacuum busy': this.rule.autovacuumMs,
      'keeps a drop waiting': dropWaitMs,
      'holds an old transaction': 0,
      'keeps notifications': queueWaitMs,
    };
    const lasting = rows.filter(
      ({ kind, ...ids }) => limits[kind] !== undefined && this.names.find(ids) !== undefined,
    );
    const seen = this.lasting.record(lasting.map(keyOf), performance.now());
    return lasting.filter((row) => (seen.get(keyOf(row)) ?? 0) > (limits[row.kind] ?? Infinity));
  }

  /** Returns the sessions of projects whose sessions together hold more than the limit, each with the sum. */
  private findHoldersOfMany(rows: readonly FoundSession[]): readonly FoundSession[] {
    const holders = rows.filter(
      (row) => row.kind === 'holds too many locks' && this.names.mayBeOfProject(row),
    );
    const project = (row: FoundSession): string =>
      this.names.find(row)?.databaseId ?? row.databaseOid;
    const sums = new Map<string, number>();
    for (const row of holders) {
      sums.set(project(row), (sums.get(project(row)) ?? 0) + row.locks);
    }
    return holders
      .map((row) => ({ ...row, locks: sums.get(project(row)) ?? 0 }))
      .filter(({ locks }) => locks > this.rule.lockLimit);
  }
}

const sumOfLocks = (rows: readonly FoundSession[]): number =>
  rows.reduce((sum, { locks }) => sum + locks, 0);

const keyOf = ({ pid, began }: FoundSession): string => `${pid} ${began}`;
