// Decides where the cluster and the programs are kept. Normally below the data folder and in node_modules. If root
// starts us below a folder that only root can enter (its home), the user of PostgreSQL reaches neither, and both move
// to a folder of the system.
import { chmod, chown, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canEnter, chooseAccount, isRoot } from './account.js';
import { areUsable, binariesIn, copyNative, type Binaries } from './binaries.js';
import type { Account } from './command.js';
import { PostgresServerError, systemErrorCode } from './postgres-server-error.js';
import type { ServerLog } from './server-log.js';

/**
 * As root: the folders for files that the user of PostgreSQL could not reach elsewhere; the first writable one is used.
 */
export const SYSTEM_FOLDERS: readonly string[] = ['/var/lib/rowhouse', '/var/tmp/rowhouse'];

/** The note in a data folder whose database is elsewhere. */
const elsewhereNote = 'THE-DATABASE-IS-ELSEWHERE.txt';

export interface PlacementOptions {
  readonly dataDir: string;
  readonly nativeDir: string;
  readonly systemFolders: readonly string[];
  readonly log: ServerLog;
}

export interface Placement {
  /** `<dataDir>/postgres`: the files that only we read (the password, the last port). */
  readonly ownDir: string;
  /** The folder of `data`, `run` and `log`, which belong to the user of PostgreSQL. */
  readonly clusterDir: string;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
}

/** Chooses and creates the folders. An existing cluster stays where it is. */
export async function place(options: PlacementOptions): Promise<Placement> {
  const ownDir = join(options.dataDir, 'postgres');
  await mkdir(ownDir, { recursive: true, mode: 0o700 });
  const known = await findCluster(ownDir);
  const account = await chooseAccount(known && join(known, 'data'));
  if (!(await canEnter(ownDir, account))) await openPath(options.dataDir, ownDir);
  const clusterDir = known ?? (await newClusterDir(options, ownDir, account));
  if (clusterDir !== ownDir) await noteElsewhere(options, ownDir, clusterDir);
  if (!(await canEnter(clusterDir, account))) {
    throw new PostgresServerError(
      `The system user with id ${account?.uid} that PostgreSQL runs as cannot enter ${clusterDir}; allow it with chmod o+x on the folders above`,
    );
  }
  for (const name of ['run', 'log']) await makeFor(account, join(clusterDir, name));
  return { ownDir, clusterDir, account, binaries: await placeBinaries(options, ownDir, account) };
}

/** Creates a folder that belongs to the user of PostgreSQL and is closed to all other users. */
export async function makeFor(account: Account | undefined, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
}

/** The folder that holds the existing cluster of this data folder; undefined if there is none. */
export async function findCluster(ownDir: string): Promise<string | undefined> {
  const elsewhere = await readPointer(ownDir);
  if (elsewhere === undefined) return (await exists(join(ownDir, 'data'))) ? ownDir : undefined;
  if (await exists(join(elsewhere, 'data'))) return elsewhere;
  throw new PostgresServerError(
    `The database of this data folder is kept in ${elsewhere} (see ${pointerFile(ownDir)}), which does not exist`,
  );
}

async function newClusterDir(
  options: PlacementOptions,
  ownDir: string,
  account: Account | undefined,
): Promise<string> {
  if (await canEnter(ownDir, account)) return ownDir;
  const folder = await mkdtemp(join(await systemFolder(options.systemFolders), 'data-'));
  await chmod(folder, 0o711);
  await writeFile(pointerFile(ownDir), `${folder}\n`, { mode: 0o600 });
  return folder;
}

/**
 * Reports at every start that the data folder does not contain the database, and leaves a note in it, so that a copy of
 * the folder contains the note.
 */
async function noteElsewhere(
  options: PlacementOptions,
  ownDir: string,
  folder: string,
): Promise<void> {
  const text =
    `The database of this deployment is kept in ${folder} and not in ${ownDir}: PostgreSQL does not run as root, ` +
    `and no other system user can enter that folder. A copy of ${options.dataDir} alone is no backup; ` +
    `stop the server and copy both folders.`;
  options.log.warn(text);
  await writeFile(join(options.dataDir, elsewhereNote), `${text}\n`);
}

async function placeBinaries(
  options: PlacementOptions,
  ownDir: string,
  account: Account | undefined,
): Promise<Binaries> {
  if (await areUsable(options.nativeDir, account)) return binariesIn(options.nativeDir);
  const folder = account === undefined ? ownDir : await systemFolder(options.systemFolders);
  const copy = await copyNative(options.nativeDir, folder);
  options.log.info(
    `PostgreSQL cannot run from ${options.nativeDir}: it runs from the copy ${copy}`,
  );
  return binariesIn(copy);
}

/** The first of `folders` that only we can write. A folder of another user could hold foreign programs. */
async function systemFolder(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = await stat(folder);
      if (uid === process.getuid?.() && (mode & 0o022) === 0) return folder;
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes(systemErrorCode(error) ?? ''))
        throw error;
    }
  }
  throw new PostgresServerError(
    `PostgreSQL does not run as root and needs a folder that other users can enter; none of ${folders.join(', ')} can be written`,
  );
}

/** Lets the user of PostgreSQL pass through our own folders. Their secret files have mode 0600. */
async function openPath(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const { mode } = await stat(folder);
    if (isRoot() && (mode & 0o001) === 0) await chmod(folder, (mode & 0o777) | 0o011);
  }
}

async function readPointer(ownDir: string): Promise<string | undefined> {
  try {
    return (await readFile(pointerFile(ownDir), 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function pointerFile(ownDir: string): string {
  return join(ownDir, 'location');
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    if (systemErrorCode(error) !== 'EACCES') throw error;
    throw new PostgresServerError(
      `${dirname(path)} cannot be read; start as the system user that it belongs to`,
      error,
    );
  }
}
