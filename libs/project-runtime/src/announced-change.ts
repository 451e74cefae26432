// Changes that a project reports as events: the event is a row of the same transaction, so no event is sent for a
// change that was rolled back, and none is lost.
import type { ProjectDatabase, Transaction } from '#libs/database';
import {
  createHooks,
  type HookCaller,
  type HookEventType,
  type HookPool,
  recordDelivery,
} from '#libs/hooks';

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
    const pool = poolWithin(tx);
    const record: Parameters<typeof createHooks>[0]['record'] = (row) => recordDelivery(pool, row);
    const hooks = createHooks({ ...caller, record });
    return work(tx, (type, data) => hooks.emit(type, data));
  });
}

/** A pool whose only connection is the open transaction. */
function poolWithin(tx: Transaction): HookPool {
  const query = async <R>(text: string, values: readonly unknown[]) => {
    const { rows } = await tx.query<R & object>(text, values);
    return { rows };
  };
  return { connect: () => Promise.resolve({ query, release: () => undefined }) };
}
