// The bytes of the large files.

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Cleanup } from '../cleanup.js';

const MEBIBYTE = 2 ** 20;
const MEMORY_FOLDER = '/dev/shm';

export const FILE_BYTES = 48 * MEBIBYTE;
export const LARGE_BYTES = 512 * MEBIBYTE;

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Whether a file fits in the folder that Linux keeps in memory; others have none. */
async function hasMemoryFor(bytes: number): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    return bavail * bsize > bytes;
  } catch {
    // No such folder.
    return false;
  }
}

/** A file of 48 MiB, in memory where the system allows it, else in `folder`. */
export async function createContent(folder: string, cleanup: Cleanup): Promise<string> {
  const place = (await hasMemoryFor(FILE_BYTES))
    ? cleanup.keep(await mkdtemp(join(MEMORY_FOLDER, 'rowhouse-bench-')), (made) =>
        rm(made, { recursive: true, force: true }),
      )
    : folder;
  const file = join(place, 'content');
  await writeFile(file, randomBytes(FILE_BYTES));
  return file;
}

/** A file of 512 MiB of zeros, which takes no room. */
export async function createLargeContent(folder: string): Promise<string> {
  const file = join(folder, 'large');
  const opened = await open(file, 'w');
  try {
    await opened.truncate(LARGE_BYTES);
  } finally {
    await opened.close();
  }
  return file;
}
