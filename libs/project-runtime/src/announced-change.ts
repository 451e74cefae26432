// Changes that a project wants to hear of: the event is a row of the same transaction, so that nothing is
// told that did not happen and nothing is forgotten.
import {
  createHooks,
  type EnginePool,
  type HookCaller,
  type HookEventType,
  recordDelivery,
} from '#libs/auth-engine';
import type { ProjectDatabase, Transaction } from '#libs/database';

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
function poolWithin(tx: Transaction): EnginePool {
  const query: Awaited<ReturnType<EnginePool['connect']>>['query'] = ((
    text: string,
    values: readonly unknown[] = [],
  ) => tx.query(text, values)) as never; // Kysely wants cursors in the same function; nobody asks for one.
  return {
    connect: () => Promise.resolve({ query, release: () => undefined }),
    end: () => Promise.resolve(),
  };
}
