// Whether the disk of the embedded database has room for snapshots of projects.
import type { ProjectsContext, WaveCopies } from '#libs/control-plane';
import { AppError } from '#libs/errors';
import { FreeSpace } from '#libs/storage-driver';

import { CommandError } from './command-error.js';
import type { Env } from './env.js';

/**
 * Throws CommandError when the snapshots of a wave would not leave `DISK_RESERVE_MB`: a database that cannot write stops
 * all projects. The disk of a server of the operator's own cannot be asked; nothing is checked there.
 */
export async function checkSnapshotRoom(
  { databaseUrl, diskReserveBytes: reserveBytes }: Env,
  { dataSource }: ProjectsContext,
  { wave, bytes }: WaveCopies,
): Promise<void> {
  if (databaseUrl !== undefined) return;
  const [cluster]: { folder: string }[] = await dataSource.query(
    `select pg_catalog.current_setting('data_directory') as folder`,
  );
  if (cluster === undefined) throw new Error('the server has no data directory');
  const space = new FreeSpace({ folder: cluster.folder, reserveBytes, now: Date.now });
  try {
    await space.claim(bytes);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STORAGE_FULL') throw error;
    const megabytes = Math.ceil(bytes / 1024 ** 2);
    throw new CommandError(
      `The snapshots of wave ${wave} take ${megabytes} MB, and the disk of the database does not have them beside its reserve (DISK_RESERVE_MB); drop earlier snapshots with rowhouse upgrade --confirm all, or go on with --no-snapshot`,
      { cause: error },
    );
  }
}
