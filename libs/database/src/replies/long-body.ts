// A body that is too long for one Buffer: its length is known, its bytes come in slices.

import type { LongRows } from './long-rows.js';
import { RowFramer } from './row-framer.js';

/** Slices are about as long, except the last one. */
const SLICE_BYTES = 64 * 1024;

interface Part {
  readonly length: number;
  ready(): Promise<void>;
  slices(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Can be read once. */
export class LongBody implements Part {
  readonly length: number;
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.length = parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** One body of several pieces in their order. */
  static of(pieces: readonly (Buffer | LongBody)[]): LongBody {
    return new LongBody(pieces.map((piece) => (Buffer.isBuffer(piece) ? textPart(piece) : piece)));
  }

  /** Rows after `head`, which is already framed, and `close` at their end. */
  static ofRows(
    rows: LongRows,
    frame: { readonly separator: string; readonly close: string },
    head: { readonly bytes: Buffer; readonly hasRows: boolean },
  ): LongBody {
    const framer = new RowFramer(frame.separator, !head.hasRows);
    const part = {
      length: framer.lengthOf(rows),
      ready: () => rows.ready(),
      slices: () => rows.texts(framer),
    };
    return new LongBody([textPart(head.bytes), part, textPart(Buffer.from(frame.close))]);
  }

  /** Resolves when the body can be sent as a whole. Throws REPLY_SPACE_EXHAUSTED if the disk has failed. */
  async ready(): Promise<void> {
    for (const part of this.#parts) await part.ready();
  }

  /** The bytes in order. They end early if the request has ended. */
  async *slices(): AsyncGenerator<Buffer, void, undefined> {
    let pieces: Buffer[] = [];
    let bytes = 0;
    for (const part of this.#parts) {
      for await (const piece of part.slices()) {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes < SLICE_BYTES) continue;
        yield joined(pieces);
        pieces = [];
        bytes = 0;
      }
    }
    if (bytes > 0) yield joined(pieces);
  }
}

function textPart(bytes: Buffer): Part {
  return { length: bytes.length, ready: () => Promise.resolve(), slices: () => [bytes] };
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}
