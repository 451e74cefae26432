import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { superuserUrl } from './cluster.js';
import { findCluster } from './placement.js';
import { findRunningServer } from './postmaster.js';

/** What a data folder says about its embedded server. */
export type FoundPostgres =
  | { readonly kind: 'no-cluster' | 'stopped' }
  | {
      readonly kind: 'running';
      /** Connection string of the superuser. Holds the password: never log it. */
      readonly url: string;
    };

/**
 * Returns how the embedded server of a data folder is reached, without starting, stopping or making anything.
 * Throws PostgresServerError when the cluster was moved and its folder is gone.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<FoundPostgres> {
  const ownDir = join(resolve(dataDir), 'postgres');
  const clusterDir = await findCluster(ownDir);
  if (clusterDir === undefined) return { kind: 'no-cluster' };
  const server = await findRunningServer(join(clusterDir, 'data'));
  if (server === undefined) return { kind: 'stopped' };
  const password = (await readFile(join(ownDir, 'password'), 'utf8')).trim();
  return { kind: 'running', url: superuserUrl(password, server.port) };
}
