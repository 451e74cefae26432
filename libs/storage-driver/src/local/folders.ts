// The folders of a project. Files and folders are for our own user alone; a new name is on the disk only once
// its folder was synced.
import { lstat, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from './local-errors.js';

const folderMode = 0o700;

/**
 * Makes the folder with its parents where it is missing. Throws ENOTDIR when the name is taken by anything
 * else, also by a symbolic link to a folder: nothing is written through one.
 */
export async function ensureFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const topmost = await mkdir(path, { recursive: true, mode: folderMode });
  if (!(await isFolder(path))) {
    throw Object.assign(new Error(`${path} is not a folder`), {
      code: 'ENOTDIR',
      syscall: 'mkdir',
    });
  }
  if (topmost === undefined) return;
  // Each new folder is a name in its parent, up to the one that was there before.
  for (let made = path; made.length >= topmost.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** Puts the names in the folder on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether anything has this name. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
