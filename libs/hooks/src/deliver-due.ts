// The worker's part of the events hook. An event is taken by moving its next try into the future in a short
// transaction of its own; then it is delivered, with no transaction open; then the result is written. A
// process that dies in between leaves the event to the next process after that time, so an event may be
// delivered twice (with the same id) and is never lost.
import { askHook, type HookOutcome } from './ask-hook.js';
import { isDueEvent } from './delivery-rows.js';
import { targetOf } from './hidden-values.js';
import { queryRows, type HookPool } from './hook-pool.js';
import type { HookCaller, HookMessage } from './hook-types.js';

/** How long after its first, second, … failure an event is tried again; with the first try eight in all. */
const EVENT_RETRY_SECONDS = [10, 60, 300, 1800, 7200, 21_600, 43_200];
const maxAttempts = EVENT_RETRY_SECONDS.length + 1;

/** Longer than any hook may take. */
const leaseSeconds = 60;
const batchRows = 10;
const defaultMaxEvents = 100;

/** The status with which a receiver says that it will never want this (RFC 9110 §15.5.11). */
const gone = 410;

export interface DeliverOptions {
  /** Ends the work after the batch that it is in. */
  readonly signal?: AbortSignal;
  /** 100 by default, so that one project does not keep the worker from the others. */
  readonly maxEvents?: number;
}

export interface DeliveryCounts {
  readonly succeeded: number;
  /** Failed, and will be tried again. */
  readonly failed: number;
  readonly dead: number;
}

interface DueEvent {
  readonly id: string;
  readonly attempts: number;
  readonly payload: HookMessage;
}

/**
 * Delivers the events that are due, ten at a time and in no order. Any number of processes may do so at
 * once: each event is taken by one. Does nothing while the events hook is off. Rejects when the database
 * cannot be reached.
 */
export async function deliverDue(
  pool: HookPool,
  caller: HookCaller,
  { signal, maxEvents = defaultMaxEvents }: DeliverOptions = {},
): Promise<DeliveryCounts> {
  const counts = { succeeded: 0, failed: 0, dead: 0 };
  if (!caller.settings.events.enabled) return counts;
  counts.dead += await markUnfinishedAsDead(pool);
  for (let taken = 0; taken < maxEvents && signal?.aborted !== true;) {
    // One batch after the other, so that no more than that many calls are open.
    const limit = Math.min(batchRows, maxEvents - taken);
    const due = await takeDue(pool, limit);
    const results = await Promise.all(due.map((event) => deliver(pool, caller, event)));
    for (const result of results) counts[result] += 1;
    taken += due.length;
    if (due.length < limit) break;
  }
  return counts;
}

async function deliver(
  pool: HookPool,
  caller: HookCaller,
  event: DueEvent,
): Promise<keyof DeliveryCounts> {
  const outcome = await askHook(caller, 'events', event.payload);
  const result = resultOf(outcome, event);
  await writeResult(pool, { event, outcome, result, target: targetOf(caller.settings.events) });
  if (result === 'dead') {
    const { type, id } = event.payload;
    caller.log({ level: 'error', message: `The event ${type} ${id} could not be delivered` });
  }
  return result;
}

function resultOf(outcome: HookOutcome, { attempts }: DueEvent): keyof DeliveryCounts {
  if (outcome.kind === 'answered') return 'succeeded';
  return attempts >= maxAttempts || outcome.status === gone ? 'dead' : 'failed';
}

function takeDue(pool: HookPool, limit: number): Promise<readonly DueEvent[]> {
  return queryRows<DueEvent>(
    pool,
    `with due as materialized (
       select id from platform.hook_deliveries
       where ${isDueEvent} and attempts < $2
       order by next_attempt_at limit $1
       for update skip locked
     )
     update platform.hook_deliveries taken
     set attempts = taken.attempts + 1, next_attempt_at = pg_catalog.now() + pg_catalog.make_interval(secs => $3)
     from due where taken.id = due.id
     returning taken.id::pg_catalog.text, taken.attempts, taken.payload`,
    [limit, maxAttempts, leaseSeconds],
  );
}

/** Marks events as dead whose last try never ended, because its process died. Returns how many. */
async function markUnfinishedAsDead(pool: HookPool): Promise<number> {
  const rows = await queryRows(
    pool,
    `update platform.hook_deliveries
     set status = 'dead', next_attempt_at = null, error = coalesce(error, 'the last try never ended')
     where ${isDueEvent} and attempts >= $1
     returning 1`,
    [maxAttempts],
  );
  return rows.length;
}

interface Result {
  readonly event: DueEvent;
  readonly outcome: HookOutcome;
  readonly result: keyof DeliveryCounts;
  readonly target: string;
}

/** Writes nothing when the time of the try was over and another process has taken the event. */
async function writeResult(
  pool: HookPool,
  { event, outcome, result, target }: Result,
): Promise<void> {
  const isFailed = result === 'failed';
  // A tenth of chance either way keeps events that failed together from coming back together.
  await queryRows(
    pool,
    `update platform.hook_deliveries
     set status = $3, response_status = $4, duration_ms = $5, error = $6, target = $7,
         next_attempt_at = pg_catalog.now() + pg_catalog.make_interval(secs => $8::pg_catalog.float8 * (0.9 + 0.2 * pg_catalog.random()))
     where id = $1::pg_catalog.int8 and attempts = $2 and status = 'pending'`,
    [
      event.id,
      event.attempts,
      isFailed ? 'pending' : result,
      outcome.status ?? null,
      outcome.durationMs,
      outcome.kind === 'failed' ? outcome.error.replaceAll('\0', '') : null,
      target,
      isFailed ? EVENT_RETRY_SECONDS[event.attempts - 1] : null,
    ],
  );
}
