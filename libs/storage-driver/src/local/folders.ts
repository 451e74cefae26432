// The folders of a project. Only our own user can enter or read them. A new name is durable only after its folder was
// synced.
import { lstat, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from './local-errors.js';

const folderMode = 0o700;

/**
 * Creates the folder and its missing parents. Throws ENOTDIR if the name exists and is not a folder. A symbolic link to
 * a folder counts as not a folder: nothing is written through it.
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
  // A new folder is a name in its parent, so each parent is synced, up to the first existing folder.
  for (let made = path; made.length >= topmost.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** Makes the names in the folder durable. */
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
