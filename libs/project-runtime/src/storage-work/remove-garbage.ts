import type { EngineQueries } from '#libs/database';
import { AppError } from '#libs/errors';

import type { ProjectStorage } from '../project-storage.js';
import type { Lease } from '../replaceable.js';
import {
  finishGarbage,
  type Garbage,
  garbageLeaseSeconds,
  postponeGarbage,
  takeGarbage,
} from './garbage.sql.js';
import { inParallel } from './in-parallel.js';

const takenAtOnce = 200;
const removalsAtOnce = 8;

export interface StoreAccess {
  readonly db: EngineQueries;
  readonly acquireStorage: () => Promise<Lease<ProjectStorage>>;
  readonly onError: (error: unknown, doing: string) => void;
}

/**
 * Removes all objects that are due and returns their number. An object that cannot be removed waits for another try.
 * Rejects if the database cannot be reached.
 */
export async function removeGarbage(access: StoreAccess, signal: AbortSignal): Promise<number> {
  const { db, acquireStorage } = access;
  for (let removed = 0; ;) {
    // Acquired for each batch: the settings may change meanwhile.
    using lease = await acquireStorage();
    const leaseEndsAt = performance.now() + (garbageLeaseSeconds * 1000) / 2;
    const due = await takeGarbage(db, takenAtOnce);
    const gone: Garbage[] = [];
    let firstError: unknown;
    await inParallel(due, removalsAtOnce, async (garbage) => {
      // By then another process may have taken it, and a version that was moved back would be lost.
      if (signal.aborted || performance.now() > leaseEndsAt) return;
      const { driver, bucket, storedKey: key, version } = garbage;
      try {
        await lease.value.driverOf(driver).remove({ bucket, key, version });
        gone.push(garbage);
      } catch (error) {
        firstError ??= error;
        await postponeGarbage(db, garbage, codeOf(error));
      }
    });
    await finishGarbage(db, gone);
    if (firstError !== undefined) access.onError(firstError, 'remove objects');
    removed += gone.length;
    if (due.length < takenAtOnce || signal.aborted) return removed;
  }
}

/** The reason of a failure in a word, for a row: the log contains the rest. */
export function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown';
}
