import { randomUUID } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Account, runCommand } from './command.js';
import { openFolder, type Placement } from './placement.js';
import { systemErrorCode } from './system-error.js';

/**
 * The folders of a project, which are closed to all other users. As root, its user can read them and write below `home`
 * and `denoDir` alone: root makes, changes and removes nothing in a folder that this user can write, where it could put
 * links in the place of files.
 */
export interface ProjectFolders {
  readonly account: Account | undefined;
  readonly home: string;
  /** What Deno keeps: downloaded packages and compiled files. */
  readonly denoDir: string;
  /** Has a folder for each version. */
  readonly code: string;
  /**
   * SQLite writes temporary files of databases in memory, whatever the permissions, to the folder of a variable or else
   * to those of the system. The path of this one is longer than it allows (512 bytes), so that it has none.
   */
  readonly sqliteTemp: string;
}

const longNames: readonly string[] = Array<string>(4).fill('no-temporary-files'.padEnd(128, '-'));

/** The longest time for the removal of code that an earlier release has left. */
const removeMs = 60_000;

/** Creates the folders of a project. */
export async function openProjectFolders(
  placement: Placement,
  ref: string,
): Promise<ProjectFolders> {
  const account = await placement.accountOf(ref);
  const projects = join(placement.folder, 'projects');
  await openFolder(projects);
  const root = join(projects, ref);
  const folders = {
    account,
    home: join(root, 'home'),
    denoDir: join(root, 'deno'),
    code: join(root, 'code'),
    sqliteTemp: join(root, ...longNames),
  };
  const readable = account && { uid: 0, gid: account.gid, mode: 0o750 };
  const own = account && { ...account, mode: 0o700 };
  await makeFolder(root, readable);
  await makeFolder(folders.home, own);
  await makeFolder(folders.denoDir, own);
  if (account !== undefined) await removeCodeOf(account, folders);
  await makeFolder(folders.code, readable);
  await closeStores(folders.denoDir);
  for (let depth = 1; depth < longNames.length; depth += 1) {
    await makeFolder(join(root, ...longNames.slice(0, depth)), readable);
  }
  // SQLite passes over a folder that it cannot write.
  await makeFolder(folders.sqliteTemp, own);
  return folders;
}

/** Makes a folder, whose parent only we can write, or takes over what an earlier release has left there. */
async function makeFolder(
  path: string,
  owner: (Account & { readonly mode: number }) | undefined,
): Promise<void> {
  const found = await find(path);
  if (found?.isDirectory() === false) await rm(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (owner === undefined) return;
  await lchown(path, owner.uid, owner.gid);
  await chmod(path, owner.mode);
}

/**
 * Removes a folder of code that belongs to the user of the project, with its rights: an earlier release has made it,
 * and the user could change it. All of it can be made again.
 */
async function removeCodeOf(account: Account, { code, home }: ProjectFolders): Promise<void> {
  const found = await find(code);
  if (found === undefined || found.uid === 0) return;
  const old = join(home, `old-${randomUUID()}`);
  await rename(code, old);
  await runCommand({ program: '/bin/rm', args: ['-rf', old], env: {}, account }, removeMs);
}

/**
 * Keeps functions from filling the disk without a permission to write: `localStorage` and databases of Deno fail where a
 * file is in the place of their folder.
 */
async function closeStores(denoDir: string): Promise<void> {
  try {
    await writeFile(join(denoDir, 'location_data'), '', { flag: 'wx', mode: 0o400 });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

async function find(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
