// The part of its project's share that one reply holds until its request ends.

import type { AppError } from '#libs/errors';
import type { ReplyShare } from './reply-budget.js';
import { Spool } from './spool.js';

/** A reply up to this size is not counted: this is nearly every reply. */
export const uncountedBytes = 16 * 1024;

/** The request that a reply is kept for. */
export interface ReplyOwner {
  /** Calls `release` when the request ends, for any reason; at once if it has ended. */
  onEnd(release: () => void): void;
}

/** Released with its request or before. */
export class KeptReply {
  readonly #share: ReplyShare;
  readonly #freeBytes: number;
  /** What the reply has in memory, with what is free. */
  #heldBytes = 0;
  #memoryBytes = 0;
  #spoolBytes = 0;
  #spool: Spool | undefined;
  #isReleased = false;

  /** The first `freeBytes` in memory take no space of the share. */
  constructor(share: ReplyShare, owner: ReplyOwner, freeBytes = 0) {
    this.#share = share;
    this.#freeBytes = freeBytes;
    owner.onEnd(() => this.release());
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Whether rows wait for the disk, so that no more of them should come. */
  get isBacklogged(): boolean {
    return this.#spool?.isBacklogged === true;
  }

  /** Where the next spooled byte goes. */
  get spoolSize(): number {
    return this.#spool?.size ?? 0;
  }

  /** False if there is no space. A released reply keeps nothing and is not refused. */
  takeMemory(bytes: number): boolean {
    if (this.#isReleased) return true;
    const taken = Math.max(0, this.#heldBytes + bytes - this.#freeBytes) - this.#memoryBytes;
    if (taken > 0 && !this.#share.takeMemory(taken)) return false;
    this.#heldBytes += bytes;
    this.#memoryBytes += taken;
    return true;
  }

  giveMemory(bytes: number): void {
    if (this.#isReleased) return;
    this.#heldBytes -= bytes;
    const given = this.#memoryBytes - Math.max(0, this.#heldBytes - this.#freeBytes);
    this.#memoryBytes -= given;
    this.#share.giveMemory(given);
  }

  /** Writes to the file of the reply; false if there is no space or the disk has failed. */
  spool(chunk: Buffer, start: number, end: number): boolean {
    if (this.#isReleased) return true;
    const bytes = end - start;
    if (this.#spool?.error !== undefined || !this.#share.takeSpool(bytes)) return false;
    this.#spoolBytes += bytes;
    this.#spool ??= new Spool(this.#share.budget);
    this.#spool.append(chunk, start, end);
    return true;
  }

  /** Resolves when all waiting rows are on the disk, or it has failed. */
  async drained(): Promise<void> {
    await this.#spool?.drained();
  }

  /** Throws REPLY_SPACE_EXHAUSTED if the disk did not accept all rows. */
  async flushed(): Promise<void> {
    try {
      await this.#spool?.flushed();
    } catch (error) {
      throw this.refuse(error);
    }
  }

  /** Bytes of the file; undefined once the reply was released. */
  async read(position: number, maxBytes: number): Promise<Buffer | undefined> {
    try {
      const bytes = await this.#spool?.read(position, maxBytes);
      return this.#isReleased ? undefined : bytes;
    } catch (error) {
      // The file of a released reply is closed.
      if (this.#isReleased) return undefined;
      throw error;
    }
  }

  /** The error of a reply for which there is no space; releases everything. */
  refuse(cause?: unknown): AppError {
    this.release();
    return this.#share.budget.refuse(cause);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#share.giveMemory(this.#memoryBytes);
    // The space is free once the file is closed.
    const giveSpool = (): void => this.#share.giveSpool(this.#spoolBytes);
    if (this.#spool) this.#spool.close().then(giveSpool, giveSpool);
  }
}
