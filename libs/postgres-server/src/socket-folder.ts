// The folder of the Unix socket over which the platform connects to its embedded server.
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './command.js';
import type { Placement } from './placement.js';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';

/** Longest folder of a Unix socket: the system allows 103 bytes for it and `/.s.PGSQL.65535`. */
const maxFolderBytes = 85;
const ownerOnly = 0o700;
/** How many names of folders are tried below one folder for temporary files. */
const maxNames = 8;

/**
 * Returns the folder of the socket, which belongs to the user of PostgreSQL and is closed to all others: `run` in the
 * folder of the cluster, or a folder for temporary files if that path is too long for a socket. Undefined on Windows,
 * where the drivers know no Unix sockets.
 */
export async function ensureSocketFolder(placement: Placement): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const folder = join(placement.clusterDir, 'run');
  if (!fits(folder)) return temporaryFolder(placement);
  // A copy of the data folder can have other modes than the original.
  await chmod(folder, ownerOnly);
  return folder;
}

/** PostgreSQL separates the folders of its setting by commas. */
function fits(folder: string): boolean {
  return Buffer.byteLength(folder) <= maxFolderBytes && !folder.includes(',');
}

/** The same folder at each start, so that a server that still runs is found. */
async function temporaryFolder({ clusterDir, account }: Placement): Promise<string> {
  const name = `rowhouse-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)}`;
  let cause: unknown;
  for (const parent of [tmpdir(), '/tmp']) {
    for (let count = 0; count < maxNames; count += 1) {
      const folder = join(parent, count === 0 ? name : `${name}-${count}`);
      if (!fits(folder)) continue;
      try {
        if (await canTake(folder, account)) return folder;
      } catch (error) {
        if (!unusable.has(systemErrorCode(error))) throw error;
        cause = error;
      }
    }
  }
  throw new PostgresServerError(
    `The path ${clusterDir} is too long for the socket of PostgreSQL, and ${tmpdir()} has no place for it; set TMPDIR to a folder with a short path`,
    cause,
  );
}

/** Codes of {@link canTake} after which another path is tried. */
const unusable: ReadonlySet<string | undefined> = new Set(['EACCES', 'ENOENT', 'EROFS']);

/**
 * Creates the folder. False if the path belongs to another user, who could have made it in advance. Throws the errors
 * of `mkdir` and `chown`.
 */
async function canTake(folder: string, account: Account | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { mode: ownerOnly });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    const found = await lstat(folder);
    const isOurs = found.uid === (account?.uid ?? process.getuid?.());
    return found.isDirectory() && isOurs && (found.mode & 0o077) === 0;
  }
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return true;
}
