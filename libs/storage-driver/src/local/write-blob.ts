// The way of a blob to the disk: a temporary file that nobody else can have open, its bytes synced, its name
// changed in one step, the name synced. Whatever stops it, there is the whole blob or none.
import { constants } from 'node:fs';
import { copyFile, open, rename, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { fail } from '#libs/errors';
import { aborted, Intake } from '../intake.js';
import type { WriteOptions, WrittenBlob } from '../storage-driver.js';
import { removeFile } from './files.js';
import { ensureFolder, exists, syncFolder } from './folders.js';
import { localError, systemErrorCode } from './local-errors.js';

/** How much is gathered while the bytes before it are being written. */
export const writeBytes = 1 << 20;
/** Content up to here is gathered in memory and written at once. */
const shortBytes = 64 * 1024;
export const fileMode = 0o600;
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface BlobPaths {
  readonly temporaryFolder: string;
  readonly temporary: string;
  /** What is appended to over several requests. */
  readonly part: string;
  readonly folder: string;
  readonly final: string;
}

/** Writes the content to its final path. Throws the public errors of a write. */
export async function writeBlob(
  paths: BlobPaths,
  content: Readable,
  options: WriteOptions,
): Promise<WrittenBlob> {
  const intake = new Intake(content, options);
  try {
    await placeNewFile(paths, async (file) => {
      await fill(file, intake);
      if (options.signal.aborted) throw aborted(options.signal);
    });
    return intake.result();
  } catch (error) {
    throw intake.refusal ? intake.refusal.error : localError(error);
  }
}

/** Copies a stored file to the final path. Throws STORAGE_OBJECT_MISSING, errors of the system. */
export async function copyBlob(source: string, paths: BlobPaths): Promise<void> {
  await placeNewFile(paths, async (file) => {
    await file.close();
    try {
      // The file system shares the bytes between the two files where it can.
      await copyFile(source, paths.temporary, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
      throw fail('STORAGE_OBJECT_MISSING', {}, { cause: error });
    }
    const copied = await open(paths.temporary, 'r+');
    try {
      await copied.sync();
    } finally {
      await copied.close();
    }
  });
}

/**
 * Makes the temporary file, lets `write` fill, sync and close it, and moves it to its place. The temporary
 * name is held by one writer alone, so that the final name is free when it was free after that was taken.
 */
async function placeNewFile(
  paths: BlobPaths,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  await ensureFolder(paths.temporaryFolder);
  await ensureFolder(paths.folder);
  const file = await openNewFile(paths.temporary);
  try {
    if (await exists(paths.final)) throw fail('STORAGE_OBJECT_EXISTS');
    await write(file);
    await rename(paths.temporary, paths.final);
  } catch (error) {
    await file.close();
    await removeFile(paths.temporary);
    throw error;
  }
  try {
    await syncFolder(paths.folder);
  } catch (error) {
    await removeFile(paths.final);
    throw error;
  }
}

async function openNewFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, newFile, fileMode);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    throw fail('STORAGE_OBJECT_EXISTS', {}, { cause: error });
  }
}

/** Writes all of the content, syncs and closes the file. Short content is spared the cost of a stream. */
async function fill(file: FileHandle, intake: Intake): Promise<void> {
  const chunks = intake.chunks();
  const held: Buffer[] = [];
  let heldBytes = 0;
  while (heldBytes <= shortBytes) {
    const { done, value } = await chunks.next();
    if (done) {
      await file.writeFile(Buffer.concat(held, heldBytes));
      await file.sync();
      await file.close();
      return;
    }
    held.push(value);
    heldBytes += value.length;
  }
  const out = file.createWriteStream({ highWaterMark: writeBytes, flush: true });
  // A sender that has gone silent must not keep a full disk from being told.
  out.once('error', () => intake.stop());
  await pipeline(all(held, chunks), out);
}

async function* all(held: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* held;
  yield* rest;
}
