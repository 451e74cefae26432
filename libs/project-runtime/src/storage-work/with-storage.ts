// The files of a project for work without a runtime: sweeps, and the deletion of a project.
import type { Settings } from '#libs/settings';

import { openProjectStorage, type ProjectStorage, type StorageDeps } from '../project-storage.js';
import type { Lease } from '../replaceable.js';

/** Opens the files of the project for one piece of work. */
export async function withStorage<T>(
  deps: StorageDeps,
  settings: Settings,
  work: (storage: ProjectStorage) => Promise<T>,
): Promise<T> {
  const storage = await openProjectStorage(deps, settings.storage);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** A lease on storage that its opener keeps for longer than the lease lasts. */
export function leaseOn(storage: ProjectStorage): Lease<ProjectStorage> {
  const release = (): void => undefined;
  return { value: storage, release, [Symbol.dispose]: release };
}
