// The queries for sessions whose locks may make others wait.
import type { SessionIds } from './login-names.js';

/** Waits for a lock count from this age; milliseconds. */
const waitMs = 500;
/** How long a session may block the drop of a database; milliseconds. */
export const dropWaitMs = 1_000;
/** Sessions with fewer locks are not counted. */
const fewLocks = 10;
/** The part of the queue of notifications that sessions may keep from being cleared. */
const queuePart = 0.1;
/** How long a transaction may last while the queue is fuller; milliseconds. */
export const queueWaitMs = 1_000;

/** Why a session was ended. */
export type EndReason =
  | 'blocks others'
  | 'waits for a shared lock'
  | 'holds too many locks'
  | 'keeps autovacuum busy'
  | 'keeps a drop waiting'
  | 'holds an old transaction'
  | 'keeps notifications';

export interface FoundSession extends SessionIds {
  readonly kind: EndReason;
  readonly pid: number;
  /** Distinguishes two sessions that reuse a process id. */
  readonly began: string;
  /** Of the session that waits for this one. */
  readonly victimLoginOid: string | null;
  readonly victimDatabaseOid: string | null;
  readonly locks: number;
}

/**
 * Waits for shared objects have database 0. A change of a row of a shared catalog is awaited as the end of a
 * transaction, by a session that holds a lock on that catalog. A session that only waits for the same lock is not a
 * blocker. Object 0 of the class pg_database (1262) is the lock of NOTIFY: every commit with one waits for it. Workers
 * of autovacuum have no login. They run functions of the project, which may take locks. `$1` is the number of
 * transactions after which a transaction is old.
 */
export const findSessions = `
with activity as materialized (
  select pid, datid, usesysid, backend_start, backend_type, state, wait_event, backend_xid, backend_xmin, xact_start
  from pg_catalog.pg_stat_get_activity(null::pg_catalog.int4)
), session as materialized (
  select pid, backend_start, backend_type, state, wait_event,
    usesysid::pg_catalog.text as login_oid, datid::pg_catalog.text as database_oid
  from activity
  where datid <> 0 and (usesysid <> 0 or backend_type = 'autovacuum worker')
), lock as materialized (
  select pid, locktype, database, relation, page, tuple, transactionid, classid, objid, mode, granted, fastpath,
    pg_catalog.date_part('epoch', pg_catalog.clock_timestamp() - waitstart) * 1000 as waited_ms
  from pg_catalog.pg_lock_status()
), waiting as materialized (
  select * from lock
  where not granted and waited_ms > ${waitMs}
    and (database = 0 or locktype = 'transactionid' and pid in (
      select pid from lock as held
      where held.granted and held.database = 0 and held.mode not in ('AccessShareLock', 'RowShareLock')
    ))
), found (kind, pid, victim, locks) as (
  select 'blocks others', blocker.pid, waiting.pid, 0
  from waiting
  cross join lateral pg_catalog.unnest(pg_catalog.pg_blocking_pids(waiting.pid)) as blocker (pid)
  where exists (
    select from lock as held
    where held.pid = blocker.pid and held.granted and held.locktype = waiting.locktype
      and (held.transactionid = waiting.transactionid
        or held.objid = waiting.objid and held.classid = waiting.classid
        or held.relation = waiting.relation and held.page is not distinct from waiting.page
          and held.tuple is not distinct from waiting.tuple)
  )
  union all
  -- Modes that conflict with the lock of a session that begins. Such a session has no database yet.
  select 'waits for a shared lock', pid, null, 0 from waiting
  where database = 0
    and (locktype = 'relation' or locktype = 'object' and classid = 1262 and objid <> 0)
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  union all
  -- Functions of the project run in ANALYZE, while VACUUM cleans up indexes (phase 4), and in the work without progress
  -- of BRIN indexes. All projects share a few workers.
  select 'keeps autovacuum busy', session.pid, null, 0 from session
  left join pg_catalog.pg_stat_get_progress_info('VACUUM') as vacuum on vacuum.pid = session.pid
  where backend_type = 'autovacuum worker' and coalesce(vacuum.param1, 4) = 4
  union all
  -- A drop waits until every session has confirmed it. A session in the middle of a statement confirms nothing while it
  -- waits for its client: for the rows of a COPY, or until the client reads its answer.
  select 'keeps a drop waiting', pid, null, 0 from session
  where state = 'active' and wait_event in ('ClientRead', 'ClientWrite')
    and exists (select from activity where wait_event = 'ProcSignalBarrier')
  union all
  -- PostgreSQL can clean up nothing that is younger than the oldest transaction of any database, and refuses all writes
  -- when two thousand million follow it. Sessions of a project use up some hundred thousand a second.
  select 'holds an old transaction', pid, null, 0 from activity
  where greatest(pg_catalog.age(backend_xid), pg_catalog.age(backend_xmin)) > $1
  union all
  -- All databases share one queue of notifications, and a full one refuses every NOTIFY. A session that listens keeps what
  -- it has not read, and reads nothing in a transaction. Asking for the usage also clears what everybody has read.
  select 'keeps notifications', pid, null, 0 from activity
  where xact_start is not null and datid <> 0 and pg_catalog.pg_notification_queue_usage() > ${queuePart}
  union all
  select 'holds too many locks', pid, null, pg_catalog.count(*)::pg_catalog.int4 from lock
  where granted and not fastpath group by pid having pg_catalog.count(*) >= ${fewLocks}
)
select found.kind, found.pid, session.backend_start::pg_catalog.text as began,
  session.login_oid as "loginOid", session.database_oid as "databaseOid",
  victim.login_oid as "victimLoginOid", victim.database_oid as "victimDatabaseOid", found.locks
from found join session on session.pid = found.pid
left join session as victim on victim.pid = found.victim`;

export function victimsOf({
  victimLoginOid,
  victimDatabaseOid,
}: FoundSession): readonly SessionIds[] {
  if (victimDatabaseOid === null) return [];
  return [{ loginOid: victimLoginOid, databaseOid: victimDatabaseOid }];
}
