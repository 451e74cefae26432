// Changes that a project reports as events: the event is a row of the same transaction, so no event is sent for a
// change that was rolled back, and none is lost.
import type { ProjectDatabase, Transaction } from '#libs/database';
import { createHooks, type HookCaller, type HookEventType } from '#libs/hooks';
import type { OutboxQueries } from '#libs/outbox';

import { recordDelivery } from './project-hooks.js';

/** Stores an event in the open transaction. */
export type Announce = (
  type: HookEventType,
  data: Readonly<Record<string, unknown>>,
) => Promise<void>;

export type AnnouncedWork<T> = (tx: Transaction, announce: Announce) => Promise<T>;

/** Runs `work` in a transaction as the engine role, with a function that stores its events. */
export function runAnnounced<T>(
  db: Pick<ProjectDatabase, 'runAsEngine'>,
  caller: HookCaller,
  work: AnnouncedWork<T>,
): Promise<T> {
  return db.runAsEngine((tx) => {
    const queries = queriesWithin(tx);
    const hooks = createHooks({ ...caller, record: (row) => recordDelivery(queries, row) });
    return work(tx, (type, data) => hooks.emit(type, data));
  });
}

/** The outbox within an open transaction. */
export function queriesWithin(tx: Transaction): OutboxQueries {
  return {
    queryAsEngine: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await tx.query<Row>(text, values)).rows,
  };
}
