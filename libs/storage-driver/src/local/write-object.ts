// Writes an object to disk. Short content is written to its place at once. Longer content goes to a temporary file of
// its own; its bytes are synced, it is renamed in one step, and the name is synced. Wherever this is interrupted, the
// whole object exists or none of it.
import { constants } from 'node:fs';
import { copyFile, open, rename, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fail } from '#libs/errors';
import { aborted, Intake } from '../intake.js';
import type { WriteOptions, WrittenObject } from '../storage-driver.js';
import { removeFile, statFile, writeAll } from './files.js';
import { ensureFolder, exists, syncFolder } from './folders.js';
import type { Space } from './free-space.js';
import { localError, systemErrorCode } from './local-errors.js';

/** How much is collected while earlier bytes are being written; content up to this size counts as short. */
const partBytes = 512 * 1024;
/** A sender that sends single bytes makes pieces whose overhead exceeds their content. */
const maxPieces = 1024;
export const fileMode = 0o600;
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface ObjectPaths {
  readonly temporaryFolder: string;
  readonly temporary: string;
  /** For content that arrives over several requests. */
  readonly part: string;
  readonly folder: string;
  readonly final: string;
  /** Folders of the driver that are known to exist. */
  readonly knownFolders: Set<string>;
  readonly space: Space;
}

/** Writes the content to its final path. Throws the public errors of a write. */
export async function writeObject(
  paths: ObjectPaths,
  content: Readable,
  options: WriteOptions,
): Promise<WrittenObject> {
  const intake = new Intake(content, options);
  // A silent sender must not delay the report of a full disk.
  const object = new GrowingObject(paths, () => intake.stop());
  try {
    await intake.pump((chunk) => object.take(chunk));
    if (options.signal.aborted) throw aborted(options.signal);
    await object.place();
    return intake.result();
  } catch (error) {
    const cause = await object.discard();
    throw intake.refusal ? intake.refusal.error : localError(cause ?? error);
  }
}

/** Copies a stored file to the final path. Throws STORAGE_OBJECT_MISSING, STORAGE_FULL, errors of the system. */
export async function copyObject(source: string, paths: ObjectPaths): Promise<void> {
  await paths.space.claim((await statFile(source))?.size ?? 0);
  const file = await openTemporary(paths);
  try {
    await file.close();
    try {
      // The file system shares the bytes between the two files where it can.
      await copyFile(source, paths.temporary, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
      throw fail('STORAGE_OBJECT_MISSING', {}, { cause: error });
    }
    await storeFile(await open(paths.temporary, 'r+'));
    await placeTemporary(paths);
  } catch (error) {
    await removeFile(paths.temporary);
    throw error;
  }
}

/** Content on its way to the disk: a part is written while the next part is collected. */
class GrowingObject {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private writtenBytes = 0;
  private file: FileHandle | undefined;
  private writing: Promise<void> | undefined;
  private failure: unknown;

  constructor(
    private readonly paths: ObjectPaths,
    /** Called if a part could not be written. */
    private readonly onFailure: () => void,
  ) {}

  /** Returns a promise while more than one part waits. */
  take(chunk: Buffer): Promise<void> | undefined {
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    if (this.held.length >= maxPieces) this.held = [Buffer.concat(this.held)];
    if (this.heldBytes <= partBytes) return undefined;
    if (this.writing) return this.writing;
    this.writing = this.writePart().then(
      () => {
        this.writing = undefined;
      },
      (error: unknown) => {
        this.failure = error;
        this.onFailure();
      },
    );
    return undefined;
  }

  /** Completes the object from everything that was taken. */
  async place(): Promise<void> {
    await this.writing;
    if (this.failure !== undefined) throw this.failure;
    if (!this.file) {
      await this.paths.space.claim(this.heldBytes);
      await placeShort(this.paths, this.held);
      return;
    }
    await this.writePart();
    await storeFile(this.file);
    await placeTemporary(this.paths);
  }

  /** Removes all traces. Returns the error of the disk, if the disk failed. */
  async discard(): Promise<unknown> {
    await this.writing;
    if (this.file) {
      await this.file.close();
      await removeFile(this.paths.temporary);
    }
    return this.failure;
  }

  private async writePart(): Promise<void> {
    this.file ??= await openTemporary(this.paths);
    const { held, heldBytes } = this;
    this.held = [];
    this.heldBytes = 0;
    await this.paths.space.claim(heldBytes);
    this.writtenBytes += await writeAll(this.file, held, this.writtenBytes);
  }
}

/**
 * Creates the file from content in memory. No row names the version before it is durable, so no reader sees a part of
 * it. A crash leaves an object without a row, which the sweep removes.
 */
async function placeShort(paths: ObjectPaths, content: readonly Buffer[]): Promise<void> {
  const { folder, final } = paths;
  const file = await openNewFile(paths, { folder, path: final });
  try {
    try {
      await writeAll(file, content, 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(folder);
  } catch (error) {
    await removeFile(final);
    throw error;
  }
}

/** Only one writer can create the temporary name: if two write the same version, one is refused. */
async function openTemporary(paths: ObjectPaths): Promise<FileHandle> {
  const { folder, final, temporary, temporaryFolder } = paths;
  await ensureFolder(folder);
  const file = await openNewFile(paths, { folder: temporaryFolder, path: temporary });
  try {
    if (await exists(final)) throw fail('STORAGE_OBJECT_EXISTS');
    return file;
  } catch (error) {
    await file.close();
    await removeFile(temporary);
    throw error;
  }
}

async function placeTemporary({ temporary, folder, final }: ObjectPaths): Promise<void> {
  await rename(temporary, final);
  try {
    await syncFolder(folder);
  } catch (error) {
    await removeFile(final);
    throw error;
  }
}

/** Makes its bytes durable and closes it. */
async function storeFile(file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A folder that was seen once counts as existing, unless an operation finds it missing. */
async function openNewFile(
  { knownFolders }: ObjectPaths,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<FileHandle> {
  if (!knownFolders.has(folder)) {
    await ensureFolder(folder);
    knownFolders.add(folder);
  }
  try {
    return await open(path, newFile, fileMode);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST') throw fail('STORAGE_OBJECT_EXISTS', {}, { cause: error });
    if (code !== 'ENOENT') throw error;
    await ensureFolder(folder);
    return open(path, newFile, fileMode);
  }
}
