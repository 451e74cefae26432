// Splits the byte stream of a PostgreSQL server into messages: one code byte, four bytes of length (which count
// themselves), the body. Its input is socket chunks of any size; it calls back with the position of each body. A body
// inside one chunk is not copied; a message that spans chunks is assembled once.

const HEADER_BYTES = 5;
/** Larger messages get memory of their own only if `accepts` allows it. */
export const LARGE_FRAME_BYTES = 256 * 1024;

/** Called per message; the body is `bytes` from `start` up to `end`, which are not overwritten later. */
export type OnFrame = (code: number, bytes: Buffer, start: number, end: number) => void;

export interface FrameLimits {
  /** A longer message makes the stream unreadable. */
  readonly maxBytes: number;
  /** Whether a large message may be assembled; otherwise it is skipped. Absent: always. */
  readonly accepts?: (code: number, frameBytes: number) => boolean;
}

/** Reads one connection's stream. Throws if a length is invalid or above the limit. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  readonly #limits: FrameLimits;
  #partial: Buffer | undefined;
  #filled = 0;
  /** Remaining bytes of a message that was not accepted. */
  #toSkip = 0;

  constructor(onFrame: OnFrame, limits: FrameLimits) {
    this.#onFrame = onFrame;
    this.#limits = limits;
  }

  push(chunk: Buffer): void {
    let offset = this.#partial ? this.#complete(this.#partial, chunk) : this.#skip(chunk, 0);
    while (chunk.length - offset >= HEADER_BYTES) {
      const end = offset + this.#frameBytes(chunk, offset);
      if (end > chunk.length) break;
      this.#onFrame(chunk[offset] ?? 0, chunk, offset + HEADER_BYTES, end);
      offset = end;
    }
    if (offset < chunk.length) this.#keep(chunk, offset);
  }

  /** Fills the message begun in earlier chunks; returns the offset after the bytes it took. */
  #complete(begun: Buffer, chunk: Buffer): number {
    let partial = begun;
    let offset = 0;
    for (;;) {
      const taken = chunk.copy(partial, this.#filled, offset);
      offset += taken;
      this.#filled += taken;
      if (this.#filled < partial.length) return offset;
      const frameBytes = this.#frameBytes(partial, 0);
      if (frameBytes === partial.length) break;
      // Only the header had arrived; now the total size is known.
      if (!this.#isAdmitted(partial[0] ?? 0, frameBytes)) {
        this.#partial = undefined;
        this.#toSkip = frameBytes - HEADER_BYTES;
        return this.#skip(chunk, offset);
      }
      partial = Buffer.allocUnsafe(frameBytes);
      begun.copy(partial);
      this.#partial = partial;
    }
    this.#partial = undefined;
    this.#onFrame(partial[0] ?? 0, partial, HEADER_BYTES, partial.length);
    return offset;
  }

  #keep(chunk: Buffer, offset: number): void {
    const isHeaderWhole = chunk.length - offset >= HEADER_BYTES;
    const bytes = isHeaderWhole ? this.#frameBytes(chunk, offset) : HEADER_BYTES;
    if (isHeaderWhole && !this.#isAdmitted(chunk[offset] ?? 0, bytes)) {
      this.#toSkip = bytes - (chunk.length - offset);
      return;
    }
    this.#partial = Buffer.allocUnsafe(bytes);
    this.#filled = chunk.copy(this.#partial, 0, offset);
  }

  #isAdmitted(code: number, frameBytes: number): boolean {
    const { accepts } = this.#limits;
    return frameBytes <= LARGE_FRAME_BYTES || !accepts || accepts(code, frameBytes);
  }

  /** Skips bytes; returns the offset after them. */
  #skip(chunk: Buffer, offset: number): number {
    const skipped = Math.min(this.#toSkip, chunk.length - offset);
    this.#toSkip -= skipped;
    return offset + skipped;
  }

  #frameBytes(bytes: Buffer, offset: number): number {
    const length = bytes.readInt32BE(offset + 1);
    if (length < 4 || length >= this.#limits.maxBytes) {
      throw new RangeError(`A message of ${length} bytes cannot be read`);
    }
    return length + 1;
  }
}
