import type { Logger } from 'pino';

import type { ProjectDatabase } from '#libs/database';
import { type ProjectRecord, type StorageSweepCounts, sweepStorage } from '#libs/project-runtime';
import type { Settings } from '#libs/settings';

import type { Env } from './env.js';
import { leaseOn, storageDeps, withStorage } from './storage-access.js';

interface SweptProject {
  readonly record: ProjectRecord;
  readonly db: ProjectDatabase;
  readonly settings: Settings;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Does the background work on the files of a project that may not be served, and looks for orphans. */
export function sweepProjectStorage(
  env: Env,
  { record, db, settings, log, signal }: SweptProject,
): Promise<StorageSweepCounts> {
  const { ref } = record;
  const deps = storageDeps(env, ref);
  return withStorage(deps, settings, (storage) =>
    sweepStorage({
      db,
      acquireStorage: () => Promise.resolve(leaseOn(storage)),
      storageFolder: deps.folder,
      now: Date.now,
      onError: (err, doing) => log.error({ err, ref }, `failed: ${doing}`),
      signal,
    }),
  );
}
