// Variants of images in a folder: `<folder>/<first two digits of the name>/<name>`. They can all be made again, so
// the folder never fails anybody: what cannot be read is absent, what cannot be written is not kept. What was not
// used for longest goes when room is short. Several processes may share the folder: when a file was last used is
// its time of change, and how much there is gets counted anew now and then.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isAbsence } from './absence.js';
import { listVariants } from './list-variants.js';
import { checkedContent, fileLength, writeVariant } from './variant-file.js';

const nameForm = /^[0-9a-f]{64}$/;
/** A use is noted when the last note is older than this. */
const useNotedEveryMs = 60 * 60 * 1000;
/** Parts of the room: making some begins at the first, ends at the second, and one variant has the last at most. */
const crowded = 7 / 8;
const relieved = 3 / 4;
const largestVariant = 1 / 8;
/** After writing this part of the room the folder is counted again: others may have written, too. */
const recountAfter = 1 / 8;
/** Writes that may be under way; a disk that is slower than this gets no more of them. */
const maxWrites = 16;

export interface VariantFolderOptions {
  /** An absolute path. Is made with the first variant. */
  readonly folder: string;
  /** In bytes; none are kept for 0. */
  readonly maxBytes: () => number;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
}

export class VariantFolder {
  readonly #options: VariantFolderOptions;
  readonly #writes = new Set<Promise<void>>();
  /** Bytes of all variants, those that are being written included; unknown until the folder was read. */
  #bytes: number | undefined;
  #beingWritten = 0;
  #writtenSinceCount = 0;
  #count: Promise<void> | undefined;

  constructor(options: VariantFolderOptions) {
    this.#options = options;
  }

  /** The variant of this name, 64 hexadecimal digits; undefined when there is none to be had. */
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

  /** Keeps the variant unless there is no room for it. What goes wrong is reported, not thrown. */
  async write(name: string, bytes: Buffer): Promise<void> {
    if (this.#writes.size >= maxWrites) return;
    const write = this.#keep(name, bytes).catch((error: unknown) =>
      this.#options.onError(error, 'keep a variant of an image'),
    );
    this.#writes.add(write);
    await write;
    this.#writes.delete(write);
  }

  /** Resolves when all that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #keep(name: string, bytes: Buffer): Promise<void> {
    const length = fileLength(bytes);
    const maxBytes = this.#options.maxBytes();
    if (length > maxBytes * largestVariant) return;
    if (this.#mustCount(length, maxBytes)) {
      this.#count ??= this.#countAnew(length, maxBytes).finally(() => (this.#count = undefined));
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

  /** Counts what there is, and removes what was not used for longest where more would be too much. */
  async #countAnew(more: number, maxBytes: number): Promise<void> {
    const variants = await listVariants(this.#options.folder);
    let bytes = variants.reduce((sum, { size }) => sum + size, 0);
    if (bytes + more > maxBytes * crowded) {
      variants.sort((a, b) => a.usedAtMs - b.usedAtMs);
      // One after the other: nothing waits for it but variants that could be kept.
      for (const { path, size } of variants) {
        if (bytes <= maxBytes * relieved) break;
        await rm(path, { force: true });
        bytes -= size;
      }
    }
    // A write under way may be among those that were found: counted twice it only costs room until the next time.
    this.#bytes = bytes + this.#beingWritten;
    this.#writtenSinceCount = 0;
  }

  #pathOf(name: string): string {
    if (!nameForm.test(name)) throw new TypeError('The name of a variant is a SHA-256');
    return join(this.#options.folder, name.slice(0, 2), name);
  }
}
