// The rows of one statement as they came over the wire (DataRow: int16 columns, then int32 length and
// bytes per column, length -1 for null). Nothing is decoded until somebody asks.

const COLUMN_COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const NULL_TEXT = Buffer.from('null');
const EMPTY = Buffer.alloc(0);

/** The rows of one result in order. */
export class DataRows {
  readonly #chunks: Buffer[] = [];
  readonly #starts: number[] = [];
  #bytes = 0;

  get count(): number {
    return this.#starts.length;
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
   * The first column of all rows as one Buffer: `open`, the values with `separator` between them, `close`.
   * `join('[', ',', ']')` makes the JSON array of rows that are JSON texts each. Null is written `null`.
   */
  join(open: string, separator: string, close: string): Buffer {
    const room =
      Buffer.byteLength(open) +
      Buffer.byteLength(close) +
      this.#bytes +
      this.count * (Buffer.byteLength(separator) + NULL_TEXT.length);
    const out = Buffer.allocUnsafe(room);
    let at = out.write(open, 0);
    for (let row = 0; row < this.count; row++) {
      if (row > 0) at += out.write(separator, at);
      at = this.#copyFirst(row, out, at);
    }
    at += out.write(close, at);
    return out.subarray(0, at);
  }

  /** The bytes of the first column of one row; without bytes when there is no such row or it is null. */
  first(row: number): Buffer {
    const chunk = this.#chunks[row];
    if (!chunk) return EMPTY;
    const from = (this.#starts[row] ?? 0) + COLUMN_COUNT_BYTES;
    const length = chunk.readInt32BE(from);
    return length < 0 ? EMPTY : chunk.subarray(from + LENGTH_BYTES, from + LENGTH_BYTES + length);
  }

  /** All columns of one row as texts; empty when there is no such row. */
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

  #copyFirst(row: number, out: Buffer, at: number): number {
    const chunk = this.#chunks[row];
    if (!chunk) return at;
    const from = (this.#starts[row] ?? 0) + COLUMN_COUNT_BYTES;
    const length = chunk.readInt32BE(from);
    if (length < 0) return at + NULL_TEXT.copy(out, at);
    return at + chunk.copy(out, at, from + LENGTH_BYTES, from + LENGTH_BYTES + length);
  }
}
