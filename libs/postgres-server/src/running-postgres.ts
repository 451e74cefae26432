import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { superuserUrl } from './cluster.js';
import { findCluster } from './placement.js';
import { findRunningServer } from './postmaster.js';

/** The embedded server of a data folder, as its files describe it. */
export type FoundPostgres =
  | { readonly kind: 'no-cluster' | 'stopped' }
  | {
      readonly kind: 'running';
      /** Connection string of the superuser. Holds the password: never log it. */
      readonly url: string;
    };

/**
 * Returns how to reach the embedded server of a data folder, without starting, stopping or creating anything. Throws
 * PostgresServerError if the cluster was moved and its folder is gone.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<FoundPostgres> {
  const ownDir = join(resolve(dataDir), 'postgres');
  const clusterDir = await findCluster(ownDir);
  if (clusterDir === undefined) return { kind: 'no-cluster' };
  const server = await findRunningServer(join(clusterDir, 'data'));
  if (server === undefined) return { kind: 'stopped' };
  const password = (await readFile(join(ownDir, 'password'), 'utf8')).trim();
  return { kind: 'running', url: superuserUrl(password, server) };
}
