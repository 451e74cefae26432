// The rows of one statement as received (DataRow: int16 columns, then int32 length and bytes per column, length -1 for
// null). Values are decoded on demand only.

import { LongBody } from '../replies/long-body.js';
import type { KeptReply } from '../replies/kept-reply.js';
import { LongRows } from '../replies/long-rows.js';

const COLUMN_COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
/** Code and length of a message, between two rows. */
const MESSAGE_HEAD_BYTES = 5;
/** The bytes on the wire between the only value of a row and that of the next one. */
const GAP_BYTES = MESSAGE_HEAD_BYTES + COLUMN_COUNT_BYTES + LENGTH_BYTES;
/** From this number of rows on, copying each row costs more than blanks instead. */
const MIN_ROWS_IN_PLACE = 100;
const JSON_SEPARATOR = ',';
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const BLANK = 0x20;
const NULL_TEXT = Buffer.from('null');
const SEPARATOR = Buffer.from(JSON_SEPARATOR);
const EMPTY = Buffer.alloc(0);

/** How values become one text: `open`, the values with `separator` between them, `close`. */
export interface RowFrame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

/** The rows of one result in order. */
export class DataRows {
  readonly #chunks: Buffer[] = [];
  readonly #starts: number[] = [];
  #bytes = 0;
  /** The rows beyond those of a small reply. */
  #long: LongRows | undefined;

  get count(): number {
    return this.#starts.length + (this.#long?.count ?? 0);
  }

  /** Size of all rows on the wire. */
  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Buffer, start: number, end: number): void {
    this.#chunks.push(chunk);
    this.#starts.push(start);
    this.#bytes += end - start;
  }

  /**
   * Adds a row of a large reply; false if there is no space for it. Except for the first row of a statement, it can
   * only be read as a part of the body.
   */
  addLong(kept: KeptReply, [chunk, start, end]: readonly [Buffer, number, number]): boolean {
    if (this.#starts.length === 0) {
      this.add(chunk, start, end);
      return true;
    }
    this.#long ??= new LongRows(kept);
    return this.#long.add(chunk, start, end);
  }

  /**
   * Returns the first column of the rows from `firstRow` on as one Buffer, or as a body in slices if the reply is
   * large. Brackets and commas make a JSON array of rows that are JSON texts each. Null is written `null`. The rows
   * cannot be read afterwards. If there are many rows separated by commas, there is white space between them, which
   * JSON allows.
   */
  takeBody({ open, separator, close }: RowFrame, firstRow = 0): Buffer | LongBody {
    if (this.#long) return this.#takeLong(this.#long, { open, separator, close }, firstRow);
    const isLong = this.count - firstRow >= MIN_ROWS_IN_PLACE;
    const body =
      isLong && separator === JSON_SEPARATOR
        ? this.#frameInPlace(open, close, firstRow)
        : this.#copyRows({ open, separator, close }, firstRow);
    this.#chunks.length = 0;
    this.#starts.length = 0;
    return body;
  }

  /** The bytes of the first column of one row; empty if the row does not exist or the value is null. */
  first(row: number): Buffer {
    const chunk = this.#chunks[row];
    if (!chunk) return EMPTY;
    const from = (this.#starts[row] ?? 0) + COLUMN_COUNT_BYTES;
    const length = chunk.readInt32BE(from);
    return length < 0 ? EMPTY : chunk.subarray(from + LENGTH_BYTES, from + LENGTH_BYTES + length);
  }

  /** All columns of one row as texts; empty if the row does not exist. */
  texts(row: number): (string | null)[] {
    const chunk = this.#chunks[row];
    const texts: (string | null)[] = [];
    if (!chunk) return texts;
    let at = this.#starts[row] ?? 0;
    const columns = chunk.readUInt16BE(at);
    at += COLUMN_COUNT_BYTES;
    for (let column = 0; column < columns; column++) {
      const length = chunk.readInt32BE(at);
      at += LENGTH_BYTES;
      texts.push(length < 0 ? null : chunk.toString('utf8', at, at + length));
      if (length > 0) at += length;
    }
    return texts;
  }

  #takeLong(long: LongRows, { open, separator, close }: RowFrame, firstRow: number): LongBody {
    const hasRows = this.#starts.length > firstRow;
    const bytes = this.#copyRows({ open, separator, close: '' }, firstRow);
    this.#chunks.length = 0;
    this.#starts.length = 0;
    return LongBody.ofRows(long, { separator, close }, { bytes, hasRows });
  }

  #copyRows({ open, separator, close }: RowFrame, firstRow: number): Buffer {
    const room =
      Buffer.byteLength(open) +
      Buffer.byteLength(close) +
      this.#bytes +
      this.#starts.length * (Buffer.byteLength(separator) + NULL_TEXT.length);
    const out = Buffer.allocUnsafe(room);
    let at = out.write(open, 0);
    for (let row = firstRow; row < this.#starts.length; row++) {
      if (row > firstRow) at += out.write(separator, at);
      at = this.#copyFirst(row, out, at);
    }
    at += out.write(close, at);
    return out.subarray(0, at);
  }

  /**
   * Writes separators over the bytes between adjacent rows, so that runs of rows are copied instead of rows, in half
   * the time.
   */
  #frameInPlace(open: string, close: string, firstRow: number): Buffer {
    const parts: Buffer[] = [Buffer.from(open)];
    let run: Buffer = EMPTY;
    let runStart = 0;
    let runEnd = 0;
    for (let row = firstRow; row < this.#starts.length; row++) {
      const chunk = this.#chunks[row] ?? EMPTY;
      const rowStart = this.#starts[row] ?? 0;
      const valueStart = rowStart + COLUMN_COUNT_BYTES + LENGTH_BYTES;
      const length = chunk.readInt32BE(rowStart + COLUMN_COUNT_BYTES);
      const isNext = chunk === run && rowStart - runEnd === MESSAGE_HEAD_BYTES && length >= 0;
      if (isNext) separate(chunk, runEnd);
      else {
        if (row > firstRow) parts.push(run.subarray(runStart, runEnd), SEPARATOR);
        run = length < 0 ? NULL_TEXT : chunk;
        runStart = length < 0 ? 0 : valueStart;
      }
      runEnd = length < 0 ? NULL_TEXT.length : valueStart + length;
    }
    parts.push(run.subarray(runStart, runEnd), Buffer.from(close));
    return Buffer.concat(parts);
  }

  #copyFirst(row: number, out: Buffer, at: number): number {
    const chunk = this.#chunks[row];
    if (!chunk) return at;
    const from = (this.#starts[row] ?? 0) + COLUMN_COUNT_BYTES;
    const length = chunk.readInt32BE(from);
    if (length < 0) return at + NULL_TEXT.copy(out, at);
    return at + chunk.copy(out, at, from + LENGTH_BYTES, from + LENGTH_BYTES + length);
  }
}

/** A comma and white space in the gap that begins at `at`. */
function separate(chunk: Buffer, at: number): void {
  chunk[at] = COMMA;
  chunk[at + 1] = LINE_FEED;
  for (let i = at + 2; i < at + GAP_BYTES; i++) chunk[i] = BLANK;
}
