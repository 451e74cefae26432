// What waits in the outbox of an open project: delivered soon after it was stored, and when a worker asks for it.
import type { ProjectDatabase } from '#libs/database';
import type { HookCaller } from '#libs/hooks';
import { type Deliverer, insertDelivery, Outbox, type Outcome } from '#libs/outbox';

import { ActiveTriggers } from './active-triggers.js';
import { hookDeliverer } from './hook-events.js';
import { scheduleDeliverer } from './schedule-runs.js';
import { type TriggerParts, triggerDeliverer } from './trigger-calls.js';
import { type WebhookParts, webhookDeliverer } from './webhook-calls.js';
import { findSchedule } from './triggers.sql.js';

export interface DeliveriesParts extends Omit<TriggerParts, 'triggers'>, WebhookParts {
  readonly ref: string;
  readonly db: ProjectDatabase;
  /** The hooks under the current settings. */
  readonly caller: () => HookCaller;
  /** Whether functions run here; otherwise what calls them waits for a process where they do. */
  readonly canRunFunctions: boolean;
  /** Has a worker look for deliveries that wait, within `seconds`. */
  readonly noteDeliveries: (ref: string, seconds: number) => Promise<void>;
}

/** What a schedule calls. */
export interface ScheduledCall {
  readonly id: string;
  readonly function: string;
  readonly body: unknown;
}

export class ProjectDeliveries {
  readonly #parts: DeliveriesParts;
  readonly #outbox: Outbox;
  readonly #triggers: ActiveTriggers;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    const { db, caller, onError, now, canRunFunctions } = parts;
    this.#triggers = new ActiveTriggers(db, now);
    const triggerParts = { ...parts, triggers: this.#triggers };
    const noted = (deliverer: Deliverer) => notingRetries(deliverer, parts);
    this.#outbox = new Outbox({
      db,
      onError,
      deliverers: {
        hook: noted(hookDeliverer(caller)),
        trigger: noted(triggerDeliverer(triggerParts)),
        ...(canRunFunctions && { schedule: scheduleDeliverer(parts) }),
        webhook: noted(webhookDeliverer(parts)),
      },
    });
  }

  /** Has what is due delivered. Returns at once. */
  schedule(): void {
    this.#outbox.schedule();
  }

  /** A worker looks for deliveries of the project from now on; what is due is sent. */
  async watch(): Promise<void> {
    const { ref, noteDeliveries, onError } = this.#parts;
    await noteDeliveries(ref, 0).catch((error: unknown) =>
      onError(error, `have the deliveries of ${ref} looked for`),
    );
    this.schedule();
  }

  /** Rows were written, which triggers may be about. Returns at once. */
  rowsWritten(): void {
    this.#triggers.mayHaveAny().then(
      (hasAny) => {
        if (hasAny) this.#outbox.schedule();
      },
      // A worker looks for what waits.
      () => undefined,
    );
  }

  /** Triggers were changed. */
  triggersChanged(): void {
    this.#triggers.forget();
  }

  /**
   * Stores the run of a schedule for one of its times; the same time is stored once. Does nothing if the schedule is off
   * or gone. `time` is in milliseconds since 1970.
   */
  async tick(scheduleId: string, time: string): Promise<void> {
    const schedule = await findSchedule(this.#parts.db, scheduleId);
    if (schedule) await this.run({ id: scheduleId, ...schedule }, `${scheduleId}.${time}`);
  }

  /** Stores a run of a schedule, and has it sent. The same `eventId` is stored once. */
  async run({ id, function: target, body }: ScheduledCall, eventId: string): Promise<void> {
    await insertDelivery(this.#parts.db, {
      kind: 'schedule',
      source: id,
      eventId,
      target,
      status: 'pending',
      attempts: 0,
      payload: body ?? {},
    });
    this.schedule();
  }

  /** Resolves when nothing is due, or after ten seconds. Rejects when the database cannot be reached. */
  async drain(): Promise<void> {
    this.#triggers.forget();
    await this.#outbox.drain();
  }

  /** Resolves after the deliveries under way; the others wait in the database. */
  close(): Promise<void> {
    return this.#outbox.close();
  }
}

/** Has a worker look for a delivery when its next attempt is due. */
function notingRetries(
  deliverer: Deliverer,
  { ref, noteDeliveries, onError }: DeliveriesParts,
): Deliverer {
  const { retrySeconds } = deliverer;
  return {
    ...deliverer,
    async deliver(delivery, signal): Promise<Outcome> {
      const outcome = await deliverer.deliver(delivery, signal);
      const pause = retrySeconds[delivery.attempts - 1];
      if (outcome.result === 'failed' && pause !== undefined) {
        noteDeliveries(ref, pause).catch((error: unknown) =>
          onError(error, 'plan the next attempt of a delivery'),
        );
      }
      return outcome;
    },
  };
}
