// Keeps content on the disk until it is known where it belongs. The file loses its name before the first byte is
// written, so that nothing is left of it, whatever happens.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { AppError, fail } from '#libs/errors';
import type { Space } from '#libs/storage-driver';

const bufferBytes = 1 << 20;

/** A file without a name. Dispose of it when its content was read. */
export class Spool implements AsyncDisposable {
  private stream: Readable | undefined;

  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  /**
   * Takes in the content. Throws FILE_TOO_LARGE (413) past `maxBytes`, STORAGE_FULL (507), STORAGE_UNAVAILABLE
   * (503), and what the content fails with.
   */
  static async fill(
    storageFolder: string,
    chunks: AsyncIterable<Buffer>,
    { maxBytes, space }: { readonly maxBytes: number; readonly space: Space },
  ): Promise<Spool> {
    const file = await openNameless(join(storageFolder, '.tmp')).catch(diskError);
    let size = 0;
    let isRefused = false;
    async function* counted(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > maxBytes) throw fail('FILE_TOO_LARGE', { maxBytes });
          await space.claim(chunk.length);
          yield chunk;
        }
      } catch (error) {
        isRefused = true;
        throw error;
      }
    }
    try {
      await writeFile(file, counted());
      return new Spool(file, size);
    } catch (error) {
      await file.close();
      if (isRefused) throw error;
      throw diskError(error);
    }
  }

  /** From the beginning; to be read once. */
  content(): Readable {
    this.stream ??= this.file.createReadStream({ start: 0, highWaterMark: bufferBytes });
    return this.stream;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stream?.destroy();
    await this.file.close();
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function diskError(cause: unknown): never {
  if (cause instanceof AppError) throw cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  throw fail(isFull ? 'STORAGE_FULL' : 'STORAGE_UNAVAILABLE', {}, { cause });
}
