// The files of a project for work without a runtime: sweeps, and the deletion of a project.
import { resolveAddress } from '#libs/outbound';
import {
  type Lease,
  openProjectStorage,
  type ProjectStorage,
  type StorageDeps,
} from '#libs/project-runtime';
import type { Settings } from '#libs/settings';
import { FreeSpace } from '#libs/storage-driver';

import type { Env } from './env.js';
import { storageFolder } from './project-address.js';

/** Dependencies of the files of the project `ref`. */
export function storageDeps(env: Env, ref: string): StorageDeps {
  const { storage, outboundAllowedHosts } = env;
  // The deployment's own store may be on its own network.
  const allowedHosts = storage.s3?.endpoint
    ? [...outboundAllowedHosts, hostAndPort(storage.s3.endpoint)]
    : outboundAllowedHosts;
  return {
    ref,
    folder: storageFolder(env, ref),
    space: spaceOf(env),
    resolveHost: (host, port) => resolveAddress(host, port, { allowedHosts }),
  };
}

/** All projects of a process write on one disk. */
const spaces = new WeakMap<Env, FreeSpace>();

function spaceOf(env: Env): FreeSpace {
  let space = spaces.get(env);
  if (!space) {
    const { dataDir: folder, diskReserveBytes: reserveBytes } = env;
    space = new FreeSpace({ folder, reserveBytes, now: Date.now });
    spaces.set(env, space);
  }
  return space;
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  const standard = protocol === 'http:' ? '80' : '443';
  return `${hostname}:${port === '' ? standard : port}`;
}

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
