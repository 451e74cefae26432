// The deletion of a user. Rows of the project's own tables go along, and their triggers run in the session of the
// deletion, so it has a login of its own; the engine requests it first, with its audit entry and event.
import { deliveryRow, type NewDelivery } from '#libs/outbox';
import {
  type EnginePool,
  inEngineTransaction,
  queryRows,
  type RunStatement,
} from './engine-pool.js';

/** Looks at a user whose row is locked, before the deletion is requested. What it throws ends the deletion. */
export type DeletionCheck = (run: RunStatement, userId: string) => Promise<void>;

export interface UserDeletion {
  readonly userId: string;
  /** The user goes only if it is a guest without a session for this many days. */
  readonly unusedDays?: number;
  /** A row of platform.audit_log, by its columns. */
  readonly audit?: Readonly<Record<string, unknown>>;
  /** The event for the project. */
  readonly event?: NewDelivery | undefined;
  readonly check?: DeletionCheck | undefined;
}

/** Deletes a user whose deletion is requested; false when it did not go. */
export type RunDeletion = (userId: string) => Promise<boolean>;

/**
 * Deletes a user with everything that refers to it, and writes audit entry and event in the same transaction.
 * Returns false when the user does not exist, or is in use again. Throws what `run` throws; then nothing has happened.
 */
export async function deleteUser(
  pool: EnginePool,
  run: RunDeletion,
  deletion: UserDeletion,
): Promise<boolean> {
  const { userId } = deletion;
  if (!(await requestDeletion(pool, deletion))) return false;
  let isDeleted = false;
  try {
    isDeleted = await run(userId);
    return isDeleted;
  } finally {
    if (!isDeleted) {
      await queryRows(pool, 'delete from auth.user_deletion where user_id = $1', [userId]);
    }
  }
}

/** A request that was left behind by a crash is replaced. Returns false when the user does not exist. */
async function requestDeletion(pool: EnginePool, deletion: UserDeletion): Promise<boolean> {
  const { userId, unusedDays, audit, event, check } = deletion;
  return inEngineTransaction(pool, async (run) => {
    const found = await run('select from auth."user" where id = $1 for update', [userId]);
    if (found.length === 0) return false;
    await check?.(run, userId);
    await run(
      `insert into auth.user_deletion (user_id, unused_days, audit, event)
       values ($1, $2, $3, $4)
       on conflict (user_id) do update set unused_days = excluded.unused_days,
         audit = excluded.audit, event = excluded.event, requested_at = excluded.requested_at`,
      [
        userId,
        unusedDays ?? null,
        audit === undefined ? null : JSON.stringify(audit),
        event === undefined ? null : deliveryRow(event),
      ],
    );
    return true;
  });
}
