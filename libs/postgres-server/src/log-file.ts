// The log file of the server. Owners of projects write to it (`raise log`), so its size is limited while the server
// runs: once a second what is too much is cut off. PostgreSQL appends to the file, so that it goes on at its new end.
//
// The folder belongs to the user of PostgreSQL, and this process may be root: no link is followed there.
import { constants } from 'node:fs';
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Placement } from './placement.js';
import { systemErrorCode } from './postgres-server-error.js';

/** What is kept of the log: this many bytes in the file, and as many in the file beside it. */
const maxLogBytes = 8 * 1024 * 1024;

/** The file that pg_ctl gives the server. */
export function logFileOf({ clusterDir }: Placement): string {
  return join(clusterDir, 'log', 'postgres.log');
}

/**
 * Empties the log file if it is longer than 8 MB, and keeps its last 8 MB in `<file>.1`. What the server writes in this
 * moment is lost.
 */
export async function limitLog(logFile: string): Promise<void> {
  await using handle = await openIfThere(logFile, constants.O_RDWR);
  if (handle === undefined) return;
  const { size } = await handle.stat();
  if (size <= maxLogBytes) return;
  const last = await readFrom(handle, size - maxLogBytes);
  try {
    await rm(`${logFile}.1`, { force: true });
    await writeFile(`${logFile}.1`, last, { mode: 0o600, flag: 'wx' });
  } finally {
    // Also on a disk that is full, most of all there.
    await handle.truncate();
  }
}

/** The length of the log file in bytes; 0 if it does not exist. */
export async function logLength(logFile: string): Promise<number> {
  await using handle = await openIfThere(logFile, constants.O_RDONLY);
  return handle === undefined ? 0 : (await handle.stat()).size;
}

/** The text of the log file from a byte on, at most 8 MB. */
export async function readLog(logFile: string, start: number): Promise<string> {
  await using handle = await openIfThere(logFile, constants.O_RDONLY);
  return handle === undefined ? '' : (await readFrom(handle, start)).toString();
}

async function openIfThere(logFile: string, access: number): Promise<FileHandle | undefined> {
  try {
    // Windows does not have the flag.
    return await open(logFile, access | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const length = Math.min((await handle.stat()).size - start, maxLogBytes);
  if (length <= 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}
