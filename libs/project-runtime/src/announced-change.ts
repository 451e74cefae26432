// Changes that a project wants to hear of: the event is a row of the same transaction, so that nothing is
// told that did not happen and nothing is forgotten.
import type { ProjectDatabase, Transaction } from '#libs/database';
import {
  createHooks,
  type HookCaller,
  type HookEventType,
  type HookPool,
  recordDelivery,
} from '#libs/hooks';

/** Stores an event in the transaction that is open. */
export type Announce = (
  type: HookEventType,
  data: Readonly<Record<string, unknown>>,
) => Promise<void>;

export type AnnouncedWork<T> = (tx: Transaction, announce: Announce) => Promise<T>;

/** Runs `work` in a transaction as the engine role, with a way to announce what it does. */
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

/** A pool whose one connection is a transaction that is open: what it is used for becomes a part of that. */
function poolWithin(tx: Transaction): HookPool {
  const query = async <R>(text: string, values: readonly unknown[]) => {
    const { rows } = await tx.query<R & object>(text, values);
    return { rows };
  };
  return { connect: () => Promise.resolve({ query, release: () => undefined }) };
}
