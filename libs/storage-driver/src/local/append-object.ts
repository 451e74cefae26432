// An object that arrives over several requests: a file that grows in the temporary folder. Its bytes count once they
// are synced, and it is renamed when it is complete.
import { constants } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fail } from '#libs/errors';
import { appendIntake, appendRefusal, type AppendSink, takeAll } from '../append-intake.js';
import type { AppendOptions } from '../storage-driver.js';
import { statFile, writeAll } from './files.js';
import { ensureFolder, syncFolder } from './folders.js';
import { systemErrorCode, translated } from './local-errors.js';
import { type ObjectPaths, fileMode } from './write-object.js';

/** Bytes per write. */
const writeBytes = 1 << 20;
/** After this many bytes, or this time, the bytes are synced and reported: the most that a crash loses. */
const syncBytes = 4 * 1024 ** 2;
const checkpointMs = 1000;
const knownFile = constants.O_WRONLY | constants.O_NOFOLLOW;
const anyFile = knownFile | constants.O_CREAT;

/** Appends the content. Throws the public errors of `append`. */
export async function appendObject(
  paths: ObjectPaths,
  content: Readable,
  options: AppendOptions,
): Promise<void> {
  const intake = appendIntake(content, options);
  try {
    const file = await translated(() => openPart(paths, options.offset));
    try {
      await takeAll(intake, new GrowingFile(file, paths, options), checkpointMs);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw appendRefusal(intake, options) ?? error;
  }
}

/** Moves the complete file to its place. Throws STORAGE_OBJECT_MISSING, errors of the system. */
export async function completeObject(paths: ObjectPaths, size: number): Promise<void> {
  const { part, folder, final } = paths;
  await ensureFolder(folder);
  if ((await statFile(final))?.size !== size) {
    const file = await openPart(paths, size);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, final);
  }
  await syncFolder(folder);
}

/** Opens the file, cut to the durable bytes. */
async function openPart(
  { part, temporaryFolder }: ObjectPaths,
  offset: number,
): Promise<FileHandle> {
  if (offset === 0) await ensureFolder(temporaryFolder);
  const file = await openFile(part, offset === 0 ? anyFile : knownFile);
  try {
    const { size } = await file.stat();
    if (size < offset) throw fail('STORAGE_OBJECT_MISSING');
    await file.truncate(offset);
    if (offset === 0) await syncFolder(temporaryFolder);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openFile(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags, fileMode);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    throw fail('STORAGE_OBJECT_MISSING', {}, { cause: error });
  }
}

class GrowingFile implements AppendSink {
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private written: number;
  private synced: number;

  constructor(
    private readonly file: FileHandle,
    private readonly paths: ObjectPaths,
    private readonly options: AppendOptions,
  ) {
    this.written = options.offset;
    this.synced = options.offset;
  }

  async take(chunk: Buffer): Promise<void> {
    this.gathered.push(chunk);
    this.gatheredBytes += chunk.length;
    if (this.gatheredBytes >= writeBytes) await translated(() => this.write());
    if (this.written - this.synced >= syncBytes) await this.store();
  }

  async store(): Promise<void> {
    await translated(() => this.write());
    if (this.written === this.synced) return;
    await translated(() => this.file.datasync());
    this.synced = this.written;
    await this.options.onDurable(this.synced, undefined);
  }

  private async write(): Promise<void> {
    const { gathered, gatheredBytes } = this;
    this.gathered = [];
    this.gatheredBytes = 0;
    await this.paths.space.claim(gatheredBytes);
    this.written += await writeAll(this.file, gathered, this.written);
  }
}
