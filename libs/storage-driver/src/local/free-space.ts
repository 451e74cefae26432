// Room on the disk that files share with the database. Some of it is kept back: a database that cannot write stops.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '#libs/errors';
import { systemErrorCode } from './local-errors.js';

/** Says whether there is room for more bytes. */
export interface Space {
  /**
   * Counts `bytes` that are about to be written. Gives a promise only when the disk has to be asked.
   * Throws STORAGE_FULL (507), or rejects with it, when they would not leave the reserve.
   */
  claim(bytes: number): Promise<void> | undefined;
}

/** How long what the disk said holds; milliseconds. Bytes that were claimed meanwhile are counted. */
const validMs = 1_000;
/** The reserve when none is named: this share of the disk, and no more than so many bytes. */
const defaultShare = 0.05;
const defaultMaxBytes = 2 * 1024 ** 3;

export interface FreeSpaceOptions {
  /** A folder on the disk; it may not be there yet. */
  readonly folder: string;
  /** Bytes that stay free. Absent: 5 % of the disk, 2 GiB at most. */
  readonly reserveBytes: number | undefined;
  readonly now: () => number;
  /** Bytes of the disk and those that are free. */
  readonly ask?: (folder: string) => Promise<DiskFigures>;
}

export interface DiskFigures {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The room of one disk for all that write on it in this process. */
export class FreeSpace implements Space {
  private leftBytes = 0;
  private askedAt = -Infinity;
  private asking: Promise<void> | undefined;

  constructor(private readonly options: FreeSpaceOptions) {}

  claim(bytes: number): Promise<void> | undefined {
    if (this.options.now() - this.askedAt < validMs) {
      this.take(bytes);
      return undefined;
    }
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking.then(() => this.take(bytes));
  }

  private take(bytes: number): void {
    if (bytes > this.leftBytes) throw fail('STORAGE_FULL');
    this.leftBytes -= bytes;
  }

  private async ask(): Promise<void> {
    const { folder, now, reserveBytes, ask = askDisk } = this.options;
    const { totalBytes, freeBytes } = await ask(folder);
    const reserve = reserveBytes ?? Math.min(totalBytes * defaultShare, defaultMaxBytes);
    this.leftBytes = freeBytes - reserve;
    this.askedAt = now();
  }
}

async function askDisk(folder: string): Promise<DiskFigures> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch (error) {
    // The folder of a project is made with its first file.
    const parent = dirname(folder);
    if (systemErrorCode(error) !== 'ENOENT' || parent === folder) throw error;
    return askDisk(parent);
  }
}
