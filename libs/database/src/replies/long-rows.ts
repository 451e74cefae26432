// The rows of one statement beyond those that every reply may keep: in memory while the budget allows it, then in a
// file.

import { LARGE_FRAME_BYTES } from '../protocol/frame-reader.js';
import type { KeptReply } from './kept-reply.js';
import type { RowFramer, RowSizes } from './row-framer.js';

/** Adjacent rows in the bytes of one read from the socket, with the headers of their messages. */
interface Run {
  readonly chunk: Buffer;
  readonly start: number;
  end: number;
  readonly charge: number;
}

const HEAD_BYTES = 5;
/** Columns, and then the length of the first one, whose sign says whether it is null. */
const LENGTH_AT = 2;
/** Overhead of a run besides its bytes. */
const RUN_BYTES = 128;
const READ_BYTES = 64 * 1024;

export class LongRows implements RowSizes {
  readonly #kept: KeptReply;
  readonly #runs: Run[] = [];
  #spoolFrom = 0;
  #spoolBytes = 0;
  #count = 0;
  #nulls = 0;
  #wireBytes = 0;

  constructor(kept: KeptReply) {
    this.#kept = kept;
  }

  get count(): number {
    return this.#count;
  }

  get nulls(): number {
    return this.#nulls;
  }

  get wireBytes(): number {
    return this.#wireBytes;
  }

  /** Keeps the row whose message body is from `start` up to `end`; false if there is no space. */
  add(chunk: Buffer, start: number, end: number): boolean {
    const from = start - HEAD_BYTES;
    if (!this.#keep(chunk, from, end)) return false;
    this.#count += 1;
    this.#wireBytes += end - from;
    if ((chunk[start + LENGTH_AT] ?? 0) >= 0x80) this.#nulls += 1;
    return true;
  }

  /** Resolves when all rows can be read. Throws REPLY_SPACE_EXHAUSTED if the disk has failed. */
  ready(): Promise<void> {
    return this.#kept.flushed();
  }

  /** The text of the rows, once; memory is released on the way. It ends early if the reply is released. */
  async *texts(framer: RowFramer): AsyncGenerator<Buffer, void, undefined> {
    for (const { chunk, start, end, charge } of takeEach(this.#runs)) {
      yield framer.frame(chunk.subarray(start, end));
      this.#kept.giveMemory(charge);
    }
    let at = this.#spoolFrom;
    const end = this.#spoolFrom + this.#spoolBytes;
    while (at < end) {
      const block = await this.#kept.read(at, Math.min(READ_BYTES, end - at));
      if (!block) return;
      at += block.length;
      yield framer.frame(block);
    }
  }

  #keep(chunk: Buffer, from: number, end: number): boolean {
    if (this.#kept.isReleased) return true;
    if (this.#spoolBytes > 0) return this.#spool(chunk, from, end);
    const last = this.#runs.at(-1);
    if (last?.chunk === chunk && last.end === from) {
      last.end = end;
      return true;
    }
    // A larger message has memory of its own, which was reserved in the budget before it was read.
    const charge = chunk.length > LARGE_FRAME_BYTES ? 0 : chunk.length + RUN_BYTES;
    if (!this.#kept.takeMemory(charge)) return this.#spool(chunk, from, end);
    this.#runs.push({ chunk, start: from, end, charge });
    return true;
  }

  #spool(chunk: Buffer, from: number, end: number): boolean {
    if (this.#spoolBytes === 0) this.#spoolFrom = this.#kept.spoolSize;
    this.#spoolBytes += end - from;
    return this.#kept.spool(chunk, from, end);
  }
}

/** Takes the first of a list until none is left, so that nothing refers to what was taken. */
function* takeEach<T>(list: T[]): Generator<T, void, undefined> {
  const reversed = list.splice(0).reverse();
  for (let next = reversed.pop(); next !== undefined; next = reversed.pop()) yield next;
}
