// Limits the memory and files for the rows of large replies of a process: memory first, then files. A reply keeps them
// until its client has read it, so a slow reader holds no connection to the database.

import { randomUUID } from 'node:crypto';
import { mkdir, open, type FileHandle, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, fail } from '#libs/errors';

export interface ReplyLimits {
  /** Memory of all projects together. */
  readonly memoryBytes: number;
  /** Files of all projects together. */
  readonly spoolBytes: number;
  /** Disk space that spools leave free. */
  readonly minFreeBytes: number;
  /** The folder of the files; it is created with the first one. */
  readonly folder: string;
}

export interface ReplyStats {
  readonly memoryBytes: number;
  readonly spoolBytes: number;
  /** Replies for which there was no space, since the start. */
  readonly refused: number;
}

/** The fraction of the total that one project may hold. */
const SHARE = 1 / 4;
const RETRY_AFTER_SECONDS = 5;
/** How long one check of the free disk space counts. */
const FREE_CHECK_MS = 250;

/** Counts what the large replies of all projects hold. */
export class ReplyBudget {
  readonly limits: ReplyLimits;
  #memoryBytes = 0;
  #spoolBytes = 0;
  #refused = 0;
  #checkedAt = -Infinity;

  constructor(limits: ReplyLimits) {
    this.limits = limits;
  }

  /** The part of one project. It needs no closing: its replies release everything. */
  openShare(): ReplyShare {
    return new ReplyShare(this);
  }

  stats(): ReplyStats {
    return {
      memoryBytes: this.#memoryBytes,
      spoolBytes: this.#spoolBytes,
      refused: this.#refused,
    };
  }

  /** Adds to the memory in use, or subtracts from it; false if that would exceed the limit. */
  changeMemory(bytes: number): boolean {
    if (bytes > 0 && this.#memoryBytes + bytes > this.limits.memoryBytes) return false;
    this.#memoryBytes += bytes;
    return true;
  }

  /** The same for files. */
  changeSpool(bytes: number): boolean {
    if (bytes > 0 && this.#spoolBytes + bytes > this.limits.spoolBytes) return false;
    this.#spoolBytes += bytes;
    return true;
  }

  /** The error of a reply for which there is no space. */
  refuse(cause?: unknown): AppError {
    this.#refused += 1;
    return fail(
      'REPLY_SPACE_EXHAUSTED',
      {},
      { retryAfterSeconds: RETRY_AFTER_SECONDS, ...(cause !== undefined && { cause }) },
    );
  }

  /** Opens a file that has no name any more, so that a crash leaves nothing behind. */
  async openFile(): Promise<FileHandle> {
    await mkdir(this.limits.folder, { recursive: true, mode: 0o700 });
    const path = join(this.limits.folder, `reply-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  }

  /** Throws when the disk has too little free space for another write. */
  async requireFreeSpace(): Promise<void> {
    const now = performance.now();
    if (now - this.#checkedAt < FREE_CHECK_MS) return;
    const { bavail, bsize } = await statfs(this.limits.folder);
    if (bavail * bsize < this.limits.minFreeBytes) throw new Error('The disk is nearly full');
    this.#checkedAt = now;
  }
}

/** Counts what the large replies of one project hold. */
export class ReplyShare {
  readonly budget: ReplyBudget;
  #memoryBytes = 0;
  #spoolBytes = 0;

  constructor(budget: ReplyBudget) {
    this.budget = budget;
  }

  /** False if the project or the process already holds too much. */
  takeMemory(bytes: number): boolean {
    if (this.#memoryBytes + bytes > this.budget.limits.memoryBytes * SHARE) return false;
    if (!this.budget.changeMemory(bytes)) return false;
    this.#memoryBytes += bytes;
    return true;
  }

  giveMemory(bytes: number): void {
    this.#memoryBytes -= bytes;
    this.budget.changeMemory(-bytes);
  }

  /** False if the project or the process already has too much in files. */
  takeSpool(bytes: number): boolean {
    if (this.#spoolBytes + bytes > this.budget.limits.spoolBytes * SHARE) return false;
    if (!this.budget.changeSpool(bytes)) return false;
    this.#spoolBytes += bytes;
    return true;
  }

  giveSpool(bytes: number): void {
    this.#spoolBytes -= bytes;
    this.budget.changeSpool(-bytes);
  }
}
