import type { Logger } from 'pino';

import type { ProjectDatabase } from '#libs/database';
import {
  leaseOn,
  type StorageDeps,
  type StorageSweepCounts,
  sweepStorage,
  withStorage,
} from '#libs/project-runtime';
import type { Settings } from '#libs/settings';

interface SweptProject {
  readonly db: ProjectDatabase;
  readonly settings: Settings;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Does the background work on the files of a project that may not be served, and looks for orphans. */
export function sweepProjectStorage(
  deps: StorageDeps,
  { db, settings, log, signal }: SweptProject,
): Promise<StorageSweepCounts> {
  const { ref, folder } = deps;
  return withStorage(deps, settings, (storage) =>
    sweepStorage({
      db,
      acquireStorage: () => Promise.resolve(leaseOn(storage)),
      storageFolder: folder,
      now: Date.now,
      onError: (err, doing) => log.error({ err, ref }, `failed: ${doing}`),
      signal,
    }),
  );
}
