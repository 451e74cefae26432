// Delivers what waits in the outbox of a project. A delivery is taken in a short transaction, attempted with none open,
// and its result is written. If the process dies in between, another one takes the delivery some seconds later: a
// delivery may reach its receiver twice, with the same id, and is never lost.
import { setTimeout as delay } from 'node:timers/promises';

import {
  type DeliveryKind,
  dropDelivery,
  type FreeSource,
  type OutboxQueries,
  renewTaken,
  takeDue,
  type TakenDelivery,
  writeResult,
} from './outbox-rows.js';

/** Attempts of a project that are open at a time. */
const maxOpen = 32;
const renewMs = 3_000;
/** A project that stores deliveries as fast as they leave does not keep the work of others waiting for longer. */
const drainMs = 10_000;
/** Attempts beyond the last one, for those that ended with their process. */
const maxInterrupted = 2;
/** The status with which a receiver refuses something for good (RFC 9110 §15.5.11). */
const gone = 410;

/** How an attempt ended. */
export interface Outcome {
  /** `unwanted`: there is nothing to deliver, and the row is removed. */
  readonly result: 'delivered' | 'failed' | 'unwanted';
  readonly responseStatus?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  /** Where it went; absent: as stored. */
  readonly target?: string | undefined;
}

/** Deliveries of one kind. */
export interface Deliverer {
  /** The sources whose deliveries may leave now; the others wait. */
  sources(): Promise<readonly string[]>;
  /** The pauses after the first, second, … failure. A delivery is dead after one attempt more. */
  readonly retrySeconds: readonly number[];
  /** Attempts of a source that are open at a time. */
  readonly atOnce: number;
  /** Never rejects. */
  deliver(delivery: TakenDelivery, signal: AbortSignal): Promise<Outcome>;
}

export interface OutboxParts {
  readonly db: OutboxQueries;
  readonly deliverers: Partial<Readonly<Record<DeliveryKind, Deliverer>>>;
  readonly onError: (error: unknown, doing: string) => void;
}

export interface DeliveryCounts {
  readonly succeeded: number;
  /** Failed, and attempted again later. */
  readonly failed: number;
  readonly dead: number;
}

export class Outbox {
  readonly #parts: OutboxParts;
  readonly #stop = new AbortController();
  readonly #open = new Map<Promise<void>, TakenDelivery>();
  readonly #counts = { succeeded: 0, failed: 0, dead: 0 };
  #running: Promise<void> | undefined;
  #isWanted = false;
  #failures: unknown[] = [];
  #renewal: NodeJS.Timeout | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Has what is due delivered. Returns at once. */
  schedule(): void {
    if (this.#stop.signal.aborted) return;
    this.#isWanted = true;
    this.#running ??= this.#takeAll().finally(() => (this.#running = undefined));
  }

  /**
   * Delivers until nothing is due, or for `longestMs`, after which deliveries go on. Rejects when the database cannot be
   * reached.
   */
  async drain(longestMs = drainMs): Promise<void> {
    this.#failures = [];
    this.schedule();
    const limit = new AbortController();
    const { signal } = limit;
    const isOver = delay(longestMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([this.#settled(), isOver]);
    limit.abort();
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  /** What has been delivered so far. */
  get counts(): DeliveryCounts {
    return { ...this.#counts };
  }

  /** Takes nothing more, and resolves when the open attempts have ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#settled();
  }

  async #settled(): Promise<void> {
    while (this.#running || this.#open.size > 0) {
      await this.#running;
      await Promise.all(this.#open.keys());
    }
  }

  async #takeAll(): Promise<void> {
    try {
      while (this.#isWanted && !this.#stop.signal.aborted) {
        this.#isWanted = false;
        // One round after the other: a request during a round has one more.
        const free = await this.#freeSources();
        if (free.length === 0) return;
        for (const taken of await takeDue(this.#parts.db, free)) this.#start(taken);
      }
    } catch (error) {
      this.#failures.push(error);
      this.#parts.onError(error, 'take deliveries from the outbox');
    }
  }

  async #freeSources(): Promise<readonly FreeSource[]> {
    const counts = new Map<string, number>();
    for (const { source } of this.#open.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    let left = maxOpen - this.#open.size;
    const free: FreeSource[] = [];
    for (const [kind, deliverer] of this.#deliverers()) {
      for (const source of await deliverer.sources()) {
        const most = Math.min(left, deliverer.atOnce - (counts.get(source) ?? 0));
        if (most > 0) free.push({ kind, source, free: most });
      }
    }
    // Each source gets its part of what is left, so that a source that hangs does not keep the others.
    const part = Math.max(1, Math.floor(left / Math.max(1, free.length)));
    return free.flatMap((each) => {
      const count = Math.min(each.free, part, left);
      left -= count;
      return count > 0 ? [{ ...each, free: count }] : [];
    });
  }

  #deliverers(): readonly (readonly [DeliveryKind, Deliverer])[] {
    const { hook, trigger, schedule, webhook } = this.#parts.deliverers;
    return [
      ...(hook ? [['hook', hook] as const] : []),
      ...(trigger ? [['trigger', trigger] as const] : []),
      ...(schedule ? [['schedule', schedule] as const] : []),
      ...(webhook ? [['webhook', webhook] as const] : []),
    ];
  }

  #start(taken: TakenDelivery): void {
    const attempt = this.#attempt(taken)
      .catch((error: unknown) => this.#parts.onError(error, 'write the result of a delivery'))
      .finally(() => {
        this.#open.delete(attempt);
        if (this.#open.size === 0) this.#stopRenewal();
        this.schedule();
      });
    this.#open.set(attempt, taken);
    this.#renewal ??= setInterval(() => this.#renew(), renewMs).unref();
  }

  #renew(): void {
    renewTaken(this.#parts.db, [...this.#open.values()]).catch((error: unknown) =>
      this.#parts.onError(error, 'keep deliveries that are under way'),
    );
  }

  #stopRenewal(): void {
    clearInterval(this.#renewal);
    this.#renewal = undefined;
  }

  async #attempt(taken: TakenDelivery): Promise<void> {
    const { db, deliverers } = this.#parts;
    const deliverer = deliverers[taken.kind];
    if (!deliverer) return;
    const { retrySeconds } = deliverer;
    // Processes that ended in attempts have perhaps done so because of them.
    const isOver = taken.attempts > retrySeconds.length + 1 + maxInterrupted;
    const outcome: Outcome = isOver
      ? { result: 'failed', error: 'the last attempt never ended' }
      : await deliverer.deliver(taken, this.#stop.signal);
    if (outcome.result === 'unwanted') return dropDelivery(db, taken);
    const { result, ...written } = outcome;
    const { id, eventId, attempts } = taken;
    const pause = outcome.responseStatus === gone ? undefined : retrySeconds[attempts - 1];
    const status =
      result === 'delivered' ? 'succeeded' : pause === undefined ? 'dead' : ('pending' as const);
    await writeResult(db, { ...written, id, attempts, status, retrySeconds: pause });
    this.#counts[status === 'pending' ? 'failed' : status] += 1;
    if (status === 'dead') {
      const text = `${outcome.error ?? 'it failed'} (${taken.kind} ${taken.source}, delivery ${eventId})`;
      this.#parts.onError(new Error(text), 'deliver; all attempts have failed');
    }
  }
}
