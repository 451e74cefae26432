import { resolveAddress } from '#libs/outbound';
import type { StorageDeps } from '#libs/project-runtime';
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
