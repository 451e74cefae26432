// Turns rows as received into the text of a body, in place. A row is a message: code and length (5 bytes), number of
// columns (2), length of the value (4), the value. The text between two values is never longer than these 11 bytes.

const PREFIX_BYTES = 11;
const LENGTH_AT = 7;
const BLANK = 0x20;
const NULL_TEXT = Buffer.from('null');
const EMPTY = Buffer.alloc(0);
const JSON_SEPARATOR = ',';
const COMMA = 0x2c;
const LINE_FEED = 0x0a;

/** Facts about rows that are not framed yet. */
export interface RowSizes {
  readonly count: number;
  readonly nulls: number;
  /** With the head of each message. */
  readonly wireBytes: number;
}

/** Frames a stream of rows, which may be split anywhere. */
export class RowFramer {
  readonly #separator: Buffer;
  readonly #keepsGaps: boolean;
  #isFirst: boolean;
  /** Bytes of the value that the last block ended in. */
  #valueLeft = 0;
  /** The begun header of the next row. */
  #carried: Buffer = EMPTY;

  /** `isFirst`: there is no row before these. */
  constructor(separator: string, isFirst: boolean) {
    this.#separator = Buffer.from(separator);
    this.#keepsGaps = separator === JSON_SEPARATOR;
    this.#isFirst = isFirst;
  }

  /**
   * The length of the text of rows. JSON allows white space between values, so in JSON each row is as long as on the
   * wire, and nothing is moved.
   */
  lengthOf({ count, nulls, wireBytes }: RowSizes): number {
    if (this.#keepsGaps) return wireBytes;
    const separators = this.#isFirst ? Math.max(0, count - 1) : count;
    const values = wireBytes - count * PREFIX_BYTES;
    return values + nulls * NULL_TEXT.length + separators * this.#separator.length;
  }

  /** The text of a block; the block is overwritten. */
  frame(block: Buffer): Buffer {
    const bytes = this.#carried.length > 0 ? Buffer.concat([this.#carried, block]) : block;
    this.#carried = EMPTY;
    let to = Math.min(this.#valueLeft, bytes.length);
    let at = to;
    this.#valueLeft -= at;
    while (at < bytes.length) {
      if (bytes.length - at < PREFIX_BYTES) {
        this.#carried = Buffer.from(bytes.subarray(at));
        break;
      }
      const length = bytes.readInt32BE(at + LENGTH_AT);
      const from = at + PREFIX_BYTES;
      const end = from + Math.max(0, length);
      to = this.#writeGap(bytes, to, length < 0);
      const here = Math.min(end, bytes.length);
      if (to !== from) bytes.copyWithin(to, from, here);
      to += here - from;
      this.#valueLeft = end - here;
      at = here;
    }
    return bytes.subarray(0, to);
  }

  /** Writes the text before a value, and `null`; returns the position after it. */
  #writeGap(bytes: Buffer, start: number, isNull: boolean): number {
    if (this.#keepsGaps) {
      bytes[start] = this.#isFirst ? BLANK : COMMA;
      bytes[start + 1] = LINE_FEED;
      for (let i = start + 2; i < start + PREFIX_BYTES; i++) bytes[i] = BLANK;
      if (isNull) NULL_TEXT.copy(bytes, start + 2);
      this.#isFirst = false;
      return start + PREFIX_BYTES;
    }
    let to = start;
    if (!this.#isFirst) to += this.#separator.copy(bytes, to);
    if (isNull) to += NULL_TEXT.copy(bytes, to);
    this.#isFirst = false;
    return to;
  }
}
