// Variants of images in a folder: `<folder>/<first two digits of the name>/<name>`. They can all be made again, so the
// folder never fails a request: a file that cannot be read is absent, a file that cannot be written is not kept. The
// least recently used files are removed when space is short. Several processes may share the folder: the time of last
// use is the modification time of the file, and the total size is counted again now and then.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isAbsence } from './absence.js';
import { listVariants } from './list-variants.js';
import { checkedContent, fileLength, writeVariant } from './variant-file.js';

const nameForm = /^[0-9a-f]{64}$/;
/** The time of use is updated if it is older than this. */
const useNotedEveryMs = 60 * 60 * 1000;
/**
 * Fractions of the space: removal begins above the first and stops below the second; one variant takes at most the
 * last.
 */
const crowded = 7 / 8;
const relieved = 3 / 4;
const largestVariant = 1 / 8;
/** The folder is counted again after writing this fraction of the space, because other processes write, too. */
const recountAfter = 1 / 8;
/** The number of writes at a time; on a slow disk further variants are not kept. */
const maxWrites = 16;

export interface VariantFolderOptions {
  /** An absolute path. Created with the first variant. */
  readonly folder: string;
  /** In bytes; with 0 no variants are kept. */
  readonly maxBytes: () => number;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
}

export class VariantFolder {
  readonly #options: VariantFolderOptions;
  readonly #writes = new Set<Promise<void>>();
  /** Bytes of all variants, including those being written; unknown until the folder was read. */
  #bytes: number | undefined;
  #beingWritten = 0;
  #writtenSinceCount = 0;
  #count: Promise<void> | undefined;

  constructor(options: VariantFolderOptions) {
    this.#options = options;
  }

  /** Returns the variant with this name, 64 hexadecimal digits; undefined if it cannot be read. */
  async read(name: string): Promise<Buffer | undefined> {
    try {
      await using file = await open(this.#pathOf(name), 'r');
      const { mtimeMs } = await file.stat();
      const bytes = checkedContent(await file.readFile());
      const now = this.#options.now();
      if (now - mtimeMs > useNotedEveryMs) await file.utimes(now / 1000, now / 1000);
      return bytes;
    } catch (error) {
      if (!isAbsence(error)) this.#options.onError(error, 'read a variant of an image');
      return undefined;
    }
  }

  /** Keeps the variant unless there is no space for it. Errors are reported, not thrown. */
  async write(name: string, bytes: Buffer): Promise<void> {
    if (this.#writes.size >= maxWrites) return;
    const write = this.#keep(name, bytes).catch((error: unknown) =>
      this.#options.onError(error, 'keep a variant of an image'),
    );
    this.#writes.add(write);
    await write;
    this.#writes.delete(write);
  }

  /** Resolves when all writes that were begun have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #keep(name: string, bytes: Buffer): Promise<void> {
    const length = fileLength(bytes);
    const maxBytes = this.#options.maxBytes();
    if (length > maxBytes * largestVariant) return;
    if (this.#mustCount(length, maxBytes)) {
      this.#count ??= this.#recount(length, maxBytes).finally(() => (this.#count = undefined));
    }
    await this.#count;
    const before = this.#bytes ?? 0;
    if (before + length > maxBytes) return;
    this.#bytes = before + length;
    this.#beingWritten += length;
    this.#writtenSinceCount += length;
    try {
      await writeVariant(this.#pathOf(name), bytes);
    } catch (error) {
      this.#bytes -= length;
      throw error;
    } finally {
      this.#beingWritten -= length;
    }
  }

  #mustCount(more: number, maxBytes: number): boolean {
    if (this.#bytes === undefined || this.#bytes + more > maxBytes * crowded) return true;
    return this.#writtenSinceCount > maxBytes * recountAfter;
  }

  /** Counts the variants, and removes the least recently used ones if the total would be too large. */
  async #recount(more: number, maxBytes: number): Promise<void> {
    const variants = await listVariants(this.#options.folder);
    let bytes = variants.reduce((sum, { size }) => sum + size, 0);
    if (bytes + more > maxBytes * crowded) {
      variants.sort((a, b) => a.usedAtMs - b.usedAtMs);
      // One after the other: only the keeping of variants waits for it.
      for (const { path, size } of variants) {
        if (bytes <= maxBytes * relieved) break;
        await rm(path, { force: true });
        bytes -= size;
      }
    }
    // A write in progress may be among the files found. It is then counted twice until the next count, which only costs
    // space.
    this.#bytes = bytes + this.#beingWritten;
    this.#writtenSinceCount = 0;
  }

  #pathOf(name: string): string {
    if (!nameForm.test(name)) throw new TypeError('The name of a variant is a SHA-256');
    return join(this.#options.folder, name.slice(0, 2), name);
  }
}
