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

/** How long a session of a project may hold up another project or the platform; milliseconds. */
const blockMs = 1_000;
/** How long it may wait for a lock that keeps others from connecting to a database; milliseconds. */
const exclusiveWaitMs = 500;
/** The part of the table of locks that the sessions of one project may fill. */
const shareOfLocks = 0.25;
/** Sessions with fewer locks are not counted. */
const fewLocks = 10;

/** Why a session was ended. */
export type EndReason = 'blocks others' | 'waits for a shared lock' | 'holds too many locks';

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

export interface LockWatch {
  /** Ends the watch and waits for its last statement. */
  close(): Promise<void>;
}

/** Starts to watch the locks of a server, and connects again whenever the connection is lost. */
export function openLockWatch(server: DatabaseServer, reports: LockWatchReports): LockWatch {
  const stop = new AbortController();
  const running = watchUntil(stop.signal, server, reports);
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function watchUntil(
  signal: AbortSignal,
  server: DatabaseServer,
  reports: LockWatchReports,
): Promise<void> {
  let isFailing = false;
  const onFailure = (error: unknown): void => {
    if (!isFailing && !signal.aborted) reports.onFailure(error);
    isFailing = true;
  };
  while (!signal.aborted) {
    try {
      await watchOnce(signal, server, {
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
  server: DatabaseServer,
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
    const round = new Rounds(client, await readLimit(client), onEnded);
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

interface FoundSession {
  readonly kind: EndReason;
  readonly pid: number;
  /** Tells two sessions apart that have one process id after the other. */
  readonly began: string;
  readonly loginOid: string;
  /** The login of the session that waits for this one. */
  readonly victimOid: string | null;
  readonly locks: number;
}

/**
 * Waits for shared objects have database 0. A change of a row of a shared catalog is awaited as the end of a
 * transaction, by a session that holds a lock on that catalog.
 */
const findSessions = `
with session as materialized (
  select pid, usesysid, datid, backend_start from pg_catalog.pg_stat_get_activity(null::pg_catalog.int4)
), lock as materialized (
  select pid, locktype, database, classid, mode, granted, fastpath,
    pg_catalog.date_part('epoch', pg_catalog.clock_timestamp() - waitstart) * 1000 as waited_ms
  from pg_catalog.pg_lock_status()
), waiting as materialized (
  select * from lock
  where not granted and waited_ms > least(${blockMs}, ${exclusiveWaitMs})
    and (database = 0 or locktype = 'transactionid' and pid in (
      select pid from lock as held
      where held.granted and held.database = 0 and held.mode not in ('AccessShareLock', 'RowShareLock')
    ))
), found (kind, pid, victim, locks) as (
  select 'blocks others', blocker.pid, waiting.pid, 0
  from waiting
  cross join lateral pg_catalog.unnest(pg_catalog.pg_blocking_pids(waiting.pid)) as blocker (pid)
  where waited_ms > ${blockMs}
  union all
  -- Modes that conflict with the lock of a session that begins. Such a session has no database yet.
  select 'waits for a shared lock', pid, null, 0 from waiting
  where waited_ms > ${exclusiveWaitMs} and database = 0
    and (locktype = 'relation' or locktype = 'object' and classid = 1262)
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  union all
  select 'holds too many locks', pid, null, pg_catalog.count(*)::pg_catalog.int4 from lock
  where granted and not fastpath group by pid having pg_catalog.count(*) >= ${fewLocks}
)
select found.kind, found.pid, session.backend_start::pg_catalog.text as began,
  session.usesysid::pg_catalog.text as "loginOid", victim.usesysid::pg_catalog.text as "victimOid", found.locks
from found join session on session.pid = found.pid
left join session as victim on victim.pid = found.victim
where session.datid <> 0 and session.usesysid <> 0`;

/**
 * Ending a session reads its role. The server keeps roles that this statement has asked for, and needs no lock for
 * them later, when there may be none left.
 */
const rememberRoles =
  'select pg_catalog.count(pg_catalog.pg_get_userbyid(oid)) from pg_catalog.pg_authid';
/** SQLSTATE out_of_memory, of the table of locks. */
const noLockLeft = '53200';

class Rounds {
  private readonly names: LoginNames;
  /** Sessions that were ended and have not gone yet. */
  private ending = new Set<string>();

  constructor(
    private readonly client: pg.Client,
    private readonly limit: number,
    private readonly onEnded: LockWatchReports['onEnded'],
  ) {
    this.names = new LoginNames(client);
  }

  /** Looks once. Returns whether a session was ended. */
  async run(): Promise<boolean> {
    await this.rememberRoles();
    const { rows } = await this.client.query<FoundSession>(findSessions);
    await this.names.learn(rows.flatMap(({ loginOid, victimOid }) => [loginOid, victimOid]));
    const guilty = new Map<string, FoundSession>();
    for (const row of [...this.findHoldersOfMany(rows), ...this.findBlockers(rows)]) {
      guilty.set(keyOf(row), row);
    }
    const pids = [...guilty.values()].map(({ pid }) => pid);
    if (pids.length > 0) {
      await this.client.query(
        'select pg_catalog.pg_terminate_backend(pid) from pg_catalog.unnest($1::pg_catalog.int4[]) as ended (pid)',
        [pids],
      );
    }
    for (const [key, { loginOid, kind, locks }] of guilty) {
      if (this.ending.has(key)) continue;
      this.onEnded({
        login: this.names.find(loginOid),
        reason: kind,
        ...(kind === 'holds too many locks' && { locks }),
      });
    }
    this.ending = new Set(guilty.keys());
    return guilty.size > 0;
  }

  private async rememberRoles(): Promise<void> {
    try {
      await this.client.query(rememberRoles);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === noLockLeft)) throw error;
    }
  }

  private findBlockers(rows: readonly FoundSession[]): readonly FoundSession[] {
    return rows.filter(({ kind, loginOid, victimOid }) => {
      const login = this.names.find(loginOid);
      if (kind === 'holds too many locks' || login === undefined) return false;
      if (kind === 'waits for a shared lock') return true;
      const victim = victimOid === null ? undefined : this.names.find(victimOid);
      return victim?.databaseId !== login.databaseId;
    });
  }

  /** Returns the sessions of projects whose sessions together hold more than the limit, each with the sum. */
  private findHoldersOfMany(rows: readonly FoundSession[]): readonly FoundSession[] {
    const holders = rows.filter(
      ({ kind, loginOid }) =>
        kind === 'holds too many locks' && this.names.mayBeOfProject(loginOid),
    );
    const project = ({ loginOid }: FoundSession): string =>
      this.names.find(loginOid)?.databaseId ?? loginOid;
    const sums = new Map<string, number>();
    for (const row of holders) {
      sums.set(project(row), (sums.get(project(row)) ?? 0) + row.locks);
    }
    return holders
      .map((row) => ({ ...row, locks: sums.get(project(row)) ?? 0 }))
      .filter(({ locks }) => locks > this.limit);
  }
}

const keyOf = ({ pid, began }: FoundSession): string => `${pid} ${began}`;
