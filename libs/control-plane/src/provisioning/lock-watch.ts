// Ends sessions of projects whose locks make other projects or the platform wait. A project's login reaches objects
// that all projects share: PostgreSQL locks a database before it checks who owns it, and every session may change the
// settings of its own login and fill the table of locks.
//
// The statements that run every time read no table: with a full table of locks, catalogs that all databases share
// cannot be opened.
import { setTimeout as delay } from 'node:timers/promises';
import { LastingClient } from '#libs/postgres-client';
import pg from 'pg';
import type { DatabaseServer } from './database-server.js';
import {
  dropWaitMs,
  type EndReason,
  findSessions,
  type FoundSession,
  victimsOf,
} from './lock-sessions.js';
import { type LoginName, LoginNames } from './login-names.js';

const intervalMs = 500;
/** After a session was ended: those who lose one session often have others. */
const alertIntervalMs = 100;
const alertMs = 10_000;
const reconnectMs = 1_000;
const connectMs = 10_000;
const statementMs = 8_000;
/** The driver gives up on a server that does not answer at all. */
const answerMs = 10_000;

/** The part of the table of locks that the sessions of one project may fill. */
const shareOfLocks = 0.25;
export interface EndedSession {
  /** Undefined for a login that was made while the catalogs could not be read. */
  readonly login: LoginName | undefined;
  readonly reason: EndReason;
  /** Locks of the whole project, for `holds too many locks`. */
  readonly locks?: number;
}

export interface LockWatchReports {
  onEnded(session: EndedSession): void;
  /** Called once when the watch cannot look, until it can again. */
  onFailure(error: unknown): void;
}

export interface LockWatchLimits {
  /** How long a worker of autovacuum may run functions of a project; milliseconds, default 5 minutes. */
  readonly autovacuumMs?: number;
}

export interface LockWatch {
  /** Ends the watch and waits for its last statement. */
  close(): Promise<void>;
}

/** Starts to watch the locks of a server, and connects again whenever the connection is lost. */
export function openLockWatch(
  server: DatabaseServer,
  reports: LockWatchReports,
  { autovacuumMs = 300_000 }: LockWatchLimits = {},
): LockWatch {
  const stop = new AbortController();
  const running = watchUntil(stop.signal, { server, autovacuumMs }, reports);
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

interface Watched {
  readonly server: DatabaseServer;
  readonly autovacuumMs: number;
}

async function watchUntil(
  signal: AbortSignal,
  watched: Watched,
  reports: LockWatchReports,
): Promise<void> {
  let isFailing = false;
  const onFailure = (error: unknown): void => {
    if (!isFailing && !signal.aborted) reports.onFailure(error);
    isFailing = true;
  };
  while (!signal.aborted) {
    try {
      await watchOnce(signal, watched, {
        onEnded: (session) => reports.onEnded(session),
        onRound: () => (isFailing = false),
        onFailure,
      });
    } catch (error) {
      onFailure(error);
    }
    await pause(reconnectMs, signal);
  }
}

interface ConnectionReports {
  readonly onEnded: (session: EndedSession) => void;
  readonly onRound: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Watches over one connection, until it breaks or `signal` is aborted. */
async function watchOnce(
  signal: AbortSignal,
  { server, autovacuumMs }: Watched,
  { onEnded, onRound, onFailure }: ConnectionReports,
): Promise<void> {
  const client = new LastingClient({
    connectionString: server.adminUrl,
    application_name: 'rowhouse lock watch',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
  });
  try {
    await client.connect();
    await client.query(
      `set search_path = pg_catalog, pg_temp; set statement_timeout = ${statementMs}`,
    );
    const limit = await readLimit(client);
    const round = new Rounds(client, { autovacuumMs, limit }, onEnded);
    let alertUntil = 0;
    while (!signal.aborted) {
      try {
        if (await round.run()) alertUntil = performance.now() + alertMs;
        onRound();
      } catch (error) {
        // The connection is kept while it answers: a server whose table of locks is full lets nobody in.
        if (!(error instanceof pg.DatabaseError)) throw error;
        onFailure(error);
      }
      await pause(performance.now() < alertUntil ? alertIntervalMs : intervalMs, signal);
    }
  } finally {
    await client.end().catch(() => undefined); // It was never open, or it is broken.
  }
}

/** Ends early when `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** How many locks the sessions of one project may hold. */
async function readLimit(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ capacity: number }>(
    `select pg_catalog.current_setting('max_locks_per_transaction')::pg_catalog.int4 * (
       pg_catalog.current_setting('max_connections')::pg_catalog.int4
       + pg_catalog.current_setting('max_prepared_transactions')::pg_catalog.int4
     ) as capacity`,
  );
  return Math.floor((rows[0]?.capacity ?? 0) * shareOfLocks);
}

/**
 * Ending a session reads its role. The server keeps roles that this statement has asked for, and needs no lock for
 * them later, when there may be none left. The answer is another one when roles or databases are new.
 */
const rememberRoles = `
  select pg_catalog.count(pg_catalog.pg_get_userbyid(oid)) || ' ' || pg_catalog.max(oid) || ' ' || (
    select pg_catalog.count(oid) || ' ' || pg_catalog.max(oid) from pg_catalog.pg_database
  ) as present
  from pg_catalog.pg_authid`;
/** SQLSTATE out_of_memory, of the table of locks. */
const noLockLeft = '53200';

const blockingKinds: ReadonlySet<EndReason> = new Set(['blocks others', 'waits for a shared lock']);

class Rounds {
  private readonly names: LoginNames;
  /** Sessions that were ended and have not gone yet. */
  private ending = new Set<string>();
  /** Since when sessions are seen that may go on for a time, by `performance.now()`. */
  private seenSince: ReadonlyMap<string, number> = new Map();
  private present: string | undefined;

  constructor(
    private readonly client: pg.Client,
    private readonly rule: { readonly autovacuumMs: number; readonly limit: number },
    private readonly onEnded: LockWatchReports['onEnded'],
  ) {
    this.names = new LoginNames(client);
  }

  /** Looks once. Returns whether a session was ended. */
  async run(): Promise<boolean> {
    await this.rememberRoles();
    const { rows } = await this.client.query<FoundSession>(findSessions);
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
    for (const [key, row] of guilty) {
      if (this.ending.has(key)) continue;
      const { kind, locks } = row;
      this.onEnded({
        login: this.names.find(row),
        reason: kind,
        ...(kind === 'holds too many locks' && { locks }),
      });
    }
    this.ending = new Set(guilty.keys());
    return guilty.size > 0;
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

  private findBlockers(rows: readonly FoundSession[]): readonly FoundSession[] {
    return rows.filter((row) => {
      const login = this.names.find(row);
      if (login === undefined || !blockingKinds.has(row.kind)) return false;
      if (row.kind !== 'blocks others') return true;
      const ofSameProject = victimsOf(row).some(
        (victim) => this.names.find(victim)?.databaseId === login.databaseId,
      );
      return !ofSameProject;
    });
  }

  /** Returns the sessions of projects that have been found for longer than they may. */
  private findLasting(rows: readonly FoundSession[]): readonly FoundSession[] {
    const limits: Partial<Record<EndReason, number>> = {
      'keeps autovacuum busy': this.rule.autovacuumMs,
      'keeps a drop waiting': dropWaitMs,
    };
    const lasting = rows.filter(
      ({ kind, ...ids }) => limits[kind] !== undefined && this.names.find(ids) !== undefined,
    );
    const now = performance.now();
    const since = (row: FoundSession): number => this.seenSince.get(keyOf(row)) ?? now;
    this.seenSince = new Map(lasting.map((row) => [keyOf(row), since(row)]));
    return lasting.filter((row) => now - since(row) > (limits[row.kind] ?? Infinity));
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
      .filter(({ locks }) => locks > this.rule.limit);
  }
}

const keyOf = ({ pid, began }: FoundSession): string => `${pid} ${began}`;
