import type { Writable } from 'node:stream';

import { createPause } from '#libs/steps';

/** Bytes of one call of the system, which copies them: a fraction of a millisecond. */
export const sliceBytes = 128 * 1024;

/**
 * Writes pieces to a socket in their order. Many bytes are written in slices, in turns of the event loop, each when the
 * system has taken the one before. What is not written when the socket ends is dropped.
 */
export class SocketWriter {
  readonly #stream: Writable;
  readonly #waiting: Buffer[] = [];
  #isWriting = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(pieces: readonly Buffer[]): void {
    const [first] = pieces;
    if (!this.#isWriting && pieces.length === 1 && first && first.length <= sliceBytes) {
      this.#stream.write(first);
      return;
    }
    this.#waiting.push(...pieces);
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#writeWaiting().finally(() => (this.#isWriting = false));
  }

  async #writeWaiting(): Promise<void> {
    const pause = createPause();
    for (let slice = this.#nextSlice(); slice; slice = this.#nextSlice()) {
      await this.#writeSlice(slice);
      const paused = pause();
      if (paused) await paused;
    }
  }

  /** Undefined when everything is written or can no longer be. */
  #nextSlice(): Buffer | undefined {
    if (!this.#stream.writable) this.#waiting.length = 0;
    const [piece] = this.#waiting;
    if (!piece || piece.length <= sliceBytes) return this.#waiting.shift();
    this.#waiting[0] = piece.subarray(sliceBytes);
    return piece.subarray(0, sliceBytes);
  }

  /** An error reaches the listeners of the socket. */
  #writeSlice(slice: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#stream.write(slice, () => resolve());
    });
  }
}
