// The worker's part: the background work of a project that no process serves, and work that is never urgent.
import type { EngineQueries } from '#libs/database';
import type { ProjectStorage } from '../project-storage.js';
import { emptyBuckets } from './empty-buckets.js';
import { expireUploads } from './garbage.sql.js';
import { relocateFiles } from './relocate-files.js';
import { removeGarbage } from './remove-garbage.js';
import type { StorageWorkDeps } from './storage-work.js';
import {
  claimOrphans,
  findMissingObjects,
  listGrowingVersions,
  usedDrivers,
} from './sweep-orphans.js';

const dayMs = 24 * 60 * 60 * 1000;
/** The time for one project, so that it does not keep the worker from the others. */
const maxRelocationMs = 10 * 60_000;
const maxEmptyingMs = 5 * 60_000;

export interface StorageSweep extends StorageWorkDeps {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Objects without a row and unfinished writes are kept until they are this old: longer than any upload takes.
   * Default: 24 hours. 0 is only safe while there are no uploads.
   */
  readonly orphanAgeMs?: number;
}

export interface StorageSweepCounts {
  readonly uploadsExpired: number;
  /** Objects without a row. */
  readonly orphans: number;
  /** Writes that were never completed. */
  readonly unfinished: number;
  /** Orphans among them. */
  readonly objectsRemoved: number;
  /** Files of a sample whose object is missing: an alert. */
  readonly filesWithoutObject: number;
}

/**
 * Does the due work of a project once, and looks for objects without rows and rows without objects. A store that cannot
 * be reached is reported to `onError` and does not stop the other work. Rejects if the database cannot be reached.
 */
export async function sweepStorage(sweep: StorageSweep): Promise<StorageSweepCounts> {
  const { db, signal } = sweep;
  const uploadsExpired = await expireUploads(db, signal);
  await relocateFiles(sweep, AbortSignal.any([signal, AbortSignal.timeout(maxRelocationMs)]));
  await emptyBuckets(sweep, AbortSignal.any([signal, AbortSignal.timeout(maxEmptyingMs)]));
  const compared = await compareStores(sweep);
  const objectsRemoved = await removeGarbage(sweep, signal);
  return { uploadsExpired, ...compared, objectsRemoved };
}

type Compared = Pick<StorageSweepCounts, 'orphans' | 'unfinished' | 'filesWithoutObject'>;

async function compareStores(sweep: StorageSweep): Promise<Compared> {
  const { acquireStorage, onError } = sweep;
  const counts = { orphans: 0, unfinished: 0, filesWithoutObject: 0 };
  using lease = await acquireStorage();
  for (const driver of await driversOf(sweep, lease.value)) {
    // The worker's signal lives as long as the process, so listeners must not pile up on it.
    const signal = AbortSignal.any([sweep.signal]);
    try {
      const olderThan = new Date(sweep.now() - (sweep.orphanAgeMs ?? dayMs));
      counts.orphans += await claimOrphans({ ...sweep, driver, signal }, olderThan);
      const growing = await listGrowingVersions(sweep.db);
      counts.unfinished += await driver.removeStale(olderThan, new Set(growing));
      const missing = await findMissingObjects({ ...sweep, driver, signal });
      counts.filesWithoutObject += missing.length;
      if (missing.length > 0) alert(sweep, missing);
    } catch (error) {
      if (sweep.signal.aborted) break;
      onError(error, `compare the files with the driver ${driver.kind}`);
    }
  }
  return counts;
}

async function driversOf(
  { db, onError }: { readonly db: EngineQueries; readonly onError: StorageSweep['onError'] },
  storage: ProjectStorage,
) {
  try {
    return await usedDrivers(db, storage);
  } catch (error) {
    onError(error, 'find the stores of the project');
    return [storage.driverOf('local')];
  }
}

function alert({ onError }: StorageSweep, missing: readonly string[]): void {
  const shown = missing.slice(0, 10).join(', ');
  onError(
    new Error(`${missing.length} files of a sample have no content, among them ${shown}`),
    'find the content of files',
  );
}
