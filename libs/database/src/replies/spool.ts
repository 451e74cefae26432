// A temporary file for the rows of one reply: written while they arrive, read while they are sent.

import type { FileHandle } from 'node:fs/promises';
import type { ReplyBudget } from './reply-budget.js';

/** Rows that wait for the disk; beyond that the connection to the database waits. */
const MAX_QUEUED_BYTES = 256 * 1024;

interface Run {
  readonly chunk: Buffer;
  readonly start: number;
  end: number;
}

/** Opened with the first bytes; ended by `close`. */
export class Spool {
  readonly #budget: ReplyBudget;
  readonly #opening: Promise<FileHandle>;
  #queue: Run[] = [];
  #queuedBytes = 0;
  #size = 0;
  #writing: Promise<void> | undefined;
  #error: unknown;
  #isClosed = false;

  constructor(budget: ReplyBudget) {
    this.#budget = budget;
    this.#opening = budget.openFile();
    // Writing and reading report the failure.
    this.#opening.catch(() => undefined);
  }

  /** Bytes queued so far. */
  get size(): number {
    return this.#size;
  }

  get isBacklogged(): boolean {
    return this.#queuedBytes > MAX_QUEUED_BYTES && !this.#isClosed;
  }

  /** Queues bytes, which must not change afterwards. Adjacent bytes become one write. */
  append(chunk: Buffer, start: number, end: number): void {
    const last = this.#queue.at(-1);
    if (last?.chunk === chunk && last.end === start) last.end = end;
    else this.#queue.push({ chunk, start, end });
    this.#queuedBytes += end - start;
    this.#size += end - start;
    this.#writing ??= this.#write();
  }

  /** Resolves when no bytes wait for the disk, also after a failure. */
  async drained(): Promise<void> {
    await this.#writing;
  }

  /** Resolves when everything is written. Throws the error of the disk. */
  async flushed(): Promise<void> {
    await this.#writing;
    if (this.#error !== undefined) throw this.#error;
  }

  /** Why nothing more can be written; undefined while it can. */
  get error(): unknown {
    return this.#error;
  }

  /** Returns bytes from `position` on, at most `maxBytes`. */
  async read(position: number, maxBytes: number): Promise<Buffer> {
    const file = await this.#opening;
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafeSlow(maxBytes),
      0,
      maxBytes,
      position,
    );
    if (bytesRead === 0) throw new Error('A spool is shorter than it was written');
    return buffer.subarray(0, bytesRead);
  }

  /** Closes it and frees its space, after the current operation on the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue = [];
    await this.#writing;
    const file = await this.#opening.catch(() => undefined);
    await file?.close();
  }

  async #write(): Promise<void> {
    try {
      const file = await this.#opening;
      let position = this.#size - this.#queuedBytes;
      while (this.#queue.length > 0 && !this.#isClosed) {
        const runs = this.#queue.splice(0);
        const parts = runs.map(({ chunk, start, end }) => chunk.subarray(start, end));
        await this.#budget.requireFreeSpace();
        position += await writeAll(file, parts, position);
        this.#queuedBytes = this.#size - position;
      }
    } catch (error) {
      this.#error = error;
      this.#queue = [];
      this.#queuedBytes = 0;
    }
    // After a failure nothing is written any more.
    if (this.#error === undefined) this.#writing = undefined;
  }
}

/** A write may be incomplete, for example at the end of the disk. */
async function writeAll(
  file: FileHandle,
  parts: readonly Buffer[],
  position: number,
): Promise<number> {
  const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  let written = 0;
  while (written < bytes.length) {
    const left = bytes.length - written;
    written += (await file.write(bytes, written, left, position + written)).bytesWritten;
  }
  return written;
}
