// The rows of work on projects that must be completed. An attempt owns a row while its lease lasts: if its process or
// the database server dies, the lease expires, and another attempt follows.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { DataSource, EntityManager } from 'typeorm';
import type { OperationKind } from './list-operations.js';
import { plainReason } from './plain-reason.js';

/** An operation that an attempt has taken. */
export interface TakenOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly ref: string;
  /** Including this attempt. */
  readonly attempts: number;
}

export interface NewOperation {
  readonly kind: OperationKind;
  readonly ref: string;
  readonly organizationId: string;
}

/** Pauses before the second, the third and each later attempt. */
const backOffSeconds = [5, 15, 60];
/** The pause before a retry if another process works on the same project. */
const busySeconds = 5;
/** How long an attempt counts as alive without renewing its lease. */
const leaseSeconds = 10;
const leaseRenewalMs = 3_000;
/** After how many minutes a failure is shown as `failed`. */
const deadlineMinutes: Readonly<Record<OperationKind, number>> = {
  create: 10,
  delete: 10,
  migrate: 60,
  upgrade: 60,
  sweep: 60,
  'repair-logins': 10,
};
/** Kinds that cover all projects at once. They leave capacity for the creation and deletion of single projects. */
const fleetKinds: readonly OperationKind[] = ['migrate', 'sweep', 'repair-logins'];
/** How many of them run at a time, across all processes. */
const fleetAtATime = 4;
/** How many other operations one call of {@link leaseDue} returns. */
const othersAtATime = 16;
/** How long finished operations are kept. */
const keptDays = 14;

const after = (seconds: string): string =>
  `pg_catalog.now() + ${seconds} * '1 second'::pg_catalog.interval`;

/** Returns the name of a new attempt. */
export function newOwner(): string {
  return `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
}

/** Makes the attempt `owner` of an operation, or continues the open operation of the same kind and project. */
export async function startOperation(
  manager: EntityManager,
  { kind, ref, organizationId }: NewOperation,
  owner: string,
): Promise<void> {
  await manager.query(
    `insert into operation (kind, ref, organization_id, state, attempts, owner, deadline, leased_until)
     values ($1, $2, $3, 'running', 1, $4, ${after('$5')}, ${after('$6')})
     on conflict (kind, ref) where finished_at is null do update
     set state = 'running', attempts = operation.attempts + 1, owner = excluded.owner,
       next_try_at = pg_catalog.now(), leased_until = excluded.leased_until`,
    [kind, ref, organizationId, owner, deadlineMinutes[kind] * 60, leaseSeconds],
  );
}

/** Plans the first attempt for the time `at`; an open operation of the same kind and project is moved there. */
export async function planOperation(
  manager: EntityManager,
  { kind, ref, organizationId }: NewOperation,
  at: Date,
): Promise<void> {
  await manager.query(
    `insert into operation (kind, ref, organization_id, next_try_at, deadline)
     values ($1, $2, $3, $4, $4::pg_catalog.timestamptz + $5 * '1 second'::pg_catalog.interval)
     on conflict (kind, ref) where finished_at is null do update
     set next_try_at = excluded.next_try_at, deadline = excluded.deadline`,
    [kind, ref, organizationId, at, deadlineMinutes[kind] * 60],
  );
}

/** Records a failure outside of an attempt, and plans an attempt after it. An open operation keeps its plan. */
export async function planAfterFailure(
  { manager }: DataSource,
  { kind, ref, error }: Omit<NewOperation, 'organizationId'> & { readonly error: unknown },
): Promise<void> {
  await manager.query(
    `insert into operation (kind, ref, organization_id, attempts, last_error, next_try_at, deadline)
     select $1, ref, organization_id, 1, $3, ${after('$4')}, ${after('$5')} from project where ref = $2
     on conflict (kind, ref) where finished_at is null do nothing`,
    [kind, ref, plainReason(error), backOffSeconds[0], deadlineMinutes[kind] * 60],
  );
}

/** Plans an operation for each project that `condition` (SQL over `project`) selects and that has no open one. */
export async function planForProjects(
  { manager }: DataSource,
  kind: OperationKind,
  { condition, values = [] }: { readonly condition: string; readonly values?: unknown[] },
): Promise<void> {
  await manager.query(
    `insert into operation (kind, ref, organization_id, deadline)
     select $1, ref, organization_id, ${after('$2')} from project where ${condition} order by ref
     on conflict (kind, ref) where finished_at is null do nothing`,
    [kind, deadlineMinutes[kind] * 60, ...values],
  );
}

/** An operation that was reserved for its next attempt. */
interface LeasedOperation {
  readonly id: string;
  readonly lease: string;
}

/**
 * Returns the operations whose next attempt is due, and reserves each for ten seconds. `lease` differs each time, so
 * that a lost job does not block the next one.
 */
export async function leaseDue(dataSource: DataSource): Promise<readonly LeasedOperation[]> {
  return dataSource.transaction(async (manager) => {
    // One process at a time: two would count the same places as free.
    await manager.query(
      `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('rowhouse due operations', 0))`,
    );
    return lease(manager);
  });
}

async function lease(manager: EntityManager): Promise<readonly LeasedOperation[]> {
  const [rows]: [LeasedOperation[], number] = await manager.query(
    `with busy as (
       select pg_catalog.count(*) as n from operation
       where finished_at is null and kind = any ($1) and leased_until > pg_catalog.now()
     ), due as (
       select id, kind = any ($1) as is_fleet, pg_catalog.row_number() over (
         partition by kind = any ($1) order by next_try_at, id
       ) as turn
       from operation
       where finished_at is null and next_try_at <= pg_catalog.now()
         and (leased_until is null or leased_until <= pg_catalog.now())
     )
     update operation set leased_until = ${after('$2')}, owner = null,
       state = case state when 'running' then 'waiting' else state end
     from due, busy
     where operation.id = due.id
       and (operation.leased_until is null or operation.leased_until <= pg_catalog.now())
       and turn <= case when is_fleet then $3::pg_catalog.int8 - busy.n else $4::pg_catalog.int8 end
     returning operation.id, pg_catalog.trunc(extract(epoch from leased_until) * 1000)::pg_catalog.text as lease`,
    [fleetKinds, leaseSeconds, fleetAtATime, othersAtATime],
  );
  return rows;
}

/** Takes a due operation for the attempt `owner`. Undefined if it is finished, not due or taken. */
export async function takeOperation(
  { manager }: DataSource,
  id: string,
  owner: string,
): Promise<TakenOperation | undefined> {
  const [rows]: [TakenOperation[], number] = await manager.query(
    `update operation set state = 'running', attempts = attempts + 1, owner = $2, leased_until = ${after('$3')}
     where id = $1 and finished_at is null and next_try_at <= pg_catalog.now()
       and state <> 'running'
     returning id, kind, ref, attempts`,
    [id, owner, leaseSeconds],
  );
  return rows[0];
}

/**
 * How an attempt ended: `busy` and `waitUntil` do not count as attempts. After `failure` only an operator retries it.
 */
export type Outcome =
  'done' | 'undone' | 'busy' | { readonly waitUntil: Date } | { readonly failure: unknown };

/**
 * Runs `work` as the attempt `owner` of its operation, keeps its lease, and records the result. An error of `work` is
 * recorded and thrown.
 */
export async function runAttempt(
  dataSource: DataSource,
  owner: string,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { manager } = dataSource;
  const renewal = setInterval(() => {
    // While the server is unavailable the lease expires, on purpose.
    manager.query(renew, [owner, leaseSeconds]).catch(() => undefined);
  }, leaseRenewalMs);
  renewal.unref();
  try {
    const outcome = await work();
    await recordOutcome(manager, owner, outcome);
    return outcome;
  } catch (error) {
    // The error of the work matters more than the error of an unavailable server; the lease expires by itself.
    await recordFailure(manager, owner, error).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

const renew = `update operation set leased_until = ${after('$2')} where owner = $1 and finished_at is null`;

async function recordOutcome(
  manager: EntityManager,
  owner: string,
  outcome: Outcome,
): Promise<void> {
  if (typeof outcome === 'object' && 'failure' in outcome) {
    await recordLastFailure(manager, owner, outcome.failure);
    return;
  }
  if (outcome === 'done' || outcome === 'undone') {
    // A successful round has nothing to look up.
    await manager.query(
      `delete from operation where owner = $1 and finished_at is null and attempts = 1
         and kind in ('sweep', 'repair-logins')`,
      [owner],
    );
    await manager.query(
      `update operation set state = $2, finished_at = pg_catalog.now(), leased_until = null
       where owner = $1 and finished_at is null`,
      [owner, outcome],
    );
    return;
  }
  const nextTryAt = outcome === 'busy' ? after(String(busySeconds)) : '$2::pg_catalog.timestamptz';
  await manager.query(
    `update operation set state = 'waiting', attempts = attempts - 1, next_try_at = ${nextTryAt},
       owner = null, leased_until = null
     where owner = $1 and finished_at is null`,
    outcome === 'busy' ? [owner] : [owner, outcome.waitUntil],
  );
}

async function recordLastFailure(
  manager: EntityManager,
  owner: string,
  error: unknown,
): Promise<void> {
  await manager.query(
    `update operation set state = 'failed', last_error = $2, next_try_at = 'infinity', owner = null,
       leased_until = null
     where owner = $1 and finished_at is null`,
    [owner, plainReason(error)],
  );
}

/** The error of a finished operation is recorded, too: for example of a creation that was taken back. */
async function recordFailure(manager: EntityManager, owner: string, error: unknown): Promise<void> {
  await manager.query('update operation set last_error = $2 where owner = $1', [
    owner,
    plainReason(error),
  ]);
  await manager.query(
    `update operation
     set state = case when deadline <= pg_catalog.now() then 'failed' else 'waiting' end,
       next_try_at = ${after('($2::pg_catalog.int4[])[least(attempts, $3)]')},
       owner = null, leased_until = null
     where owner = $1 and finished_at is null`,
    [owner, backOffSeconds, backOffSeconds.length],
  );
}

/**
 * The item of a `from` list that lets the commit of its statement wait for no disk. A crash of the server loses the last
 * such commits, and none before a commit that waits: use it for what only informs, or what another attempt repeats.
 */
export const withoutFlush = `(select pg_catalog.set_config('synchronous_commit', 'off', true)) as unflushed`;

/** Records the step that an attempt begins. */
export async function noteStep(manager: EntityManager, owner: string, step: string): Promise<void> {
  await manager.query(
    `update operation set step = $2 from ${withoutFlush} where owner = $1 and finished_at is null`,
    [owner, step],
  );
}

/** Finishes the open operations of a project; `undone` means that they were taken back. */
export async function finishOperations(
  manager: EntityManager,
  ref: string,
  state: 'done' | 'undone' = 'done',
): Promise<void> {
  await manager.query(
    `update operation set state = $2, finished_at = pg_catalog.now(), leased_until = null
     where ref = $1 and finished_at is null`,
    [ref, state],
  );
}

/** Deletes the rows of operations that finished 14 days ago. */
export async function dropOldOperations({ manager }: DataSource): Promise<void> {
  await manager.query(
    `delete from operation where finished_at < pg_catalog.now() - $1 * '1 day'::pg_catalog.interval`,
    [keptDays],
  );
}
