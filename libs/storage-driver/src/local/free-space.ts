// Free space on the disk that files share with the database. A part of it stays reserved: a database that cannot write
// stops.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '#libs/errors';
import { systemErrorCode } from './local-errors.js';

/** Decides whether more bytes fit. */
export interface Space {
  /**
   * Counts `bytes` that are about to be written. Returns a promise only if the disk has to be queried. Throws
   * STORAGE_FULL (507), or rejects with it, if the bytes would use the reserve.
   */
  claim(bytes: number): Promise<void> | undefined;
}

/** How long a result of the disk is reused, in milliseconds. Bytes claimed meanwhile are subtracted. */
const validMs = 1_000;
/** The default reserve: this share of the disk, but at most this many bytes. */
const defaultShare = 0.05;
const defaultMaxBytes = 2 * 1024 ** 3;

export interface FreeSpaceOptions {
  /** A folder on the disk; it need not exist yet. */
  readonly folder: string;
  /** Bytes that stay free. Default: 5 % of the disk, at most 2 GiB. */
  readonly reserveBytes: number | undefined;
  readonly now: () => number;
  /** Queries the total and free bytes of the disk. */
  readonly ask?: (folder: string) => Promise<DiskFigures>;
}

export interface DiskFigures {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The free space of one disk, shared by all writers of this process. */
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
    const { folder, now, reserveBytes, ask = readDisk } = this.options;
    const { totalBytes, freeBytes } = await ask(folder);
    this.leftBytes = freeBytes - reserveOf(totalBytes, reserveBytes);
    this.askedAt = now();
  }
}

/** Returns the bytes of a disk that files leave free: `reserveBytes`, or the default share. */
export function reserveOf(totalBytes: number, reserveBytes: number | undefined): number {
  return reserveBytes ?? Math.min(totalBytes * defaultShare, defaultMaxBytes);
}

/** Returns the figures of the disk that a folder is on, or will be on. */
export async function readDisk(folder: string): Promise<DiskFigures> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch (error) {
    // The folder of a project is created with its first file.
    const parent = dirname(folder);
    if (systemErrorCode(error) !== 'ENOENT' || parent === folder) throw error;
    return readDisk(parent);
  }
}
