// The incoming content of a write: counts it, enforces its limits, hashes it and passes its first bytes to
// `inspectHead`. It distinguishes errors of the content from errors of the destination.
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { fail } from '#libs/errors';
import { flow } from './flow.js';
import { headBytes, type WriteOptions, type WrittenObject } from './storage-driver.js';

export class Intake {
  private readonly hash: Hash | undefined;
  private readonly onAbort = (): void => this.giveUp(aborted(this.options.signal));
  private head: Buffer[] = [];
  private seenBytes = 0;
  private wasHeadShown = false;
  private isStopped = false;
  private hasEnded = false;
  private refused: { readonly error: unknown } | undefined;
  private rejectNext: ((error: unknown) => void) | undefined;

  constructor(
    private readonly content: Readable,
    private readonly options: WriteOptions,
  ) {
    this.hash = options.withSha256 ? createHash('sha256') : undefined;
    // The content may fail before it is read, or after the write was refused. The first error is thrown when the
    // content is read, the second does not matter, and neither may end the process.
    content.on('error', () => undefined);
  }

  /** Bytes received so far. */
  get size(): number {
    return this.seenBytes;
  }

  /** Whether all of the content has been received and accepted. */
  get isComplete(): boolean {
    return this.hasEnded;
  }

  /** The error of the content that ended the write; undefined if the destination failed. */
  get refusal(): { readonly error: unknown } | undefined {
    return this.refused;
  }

  /** Size and hash of the content. Call it after all chunks were taken. */
  result(): WrittenObject {
    return { size: this.seenBytes, sha256: this.hash?.digest('hex') };
  }

  /**
   * The content in order; can be read once. Yields no chunk before the head was accepted, and none that goes past a
   * limit. The last chunk is held back until it is known to be the last: a store that counts the bytes would take the
   * object as complete. The content is never destroyed.
   */
  async *chunks(): AsyncGenerator<Buffer> {
    this.begin();
    try {
      const source = this.content.iterator({ destroyOnReturn: false });
      let held: Buffer | undefined;
      for (let chunk = await this.next(source); chunk; chunk = await this.next(source)) {
        const accepted = this.accept(chunk);
        if (accepted && held) yield held;
        held = accepted ?? held;
      }
      held = this.showHead() ?? held;
      this.end();
      if (held) yield held;
    } catch (error) {
      throw this.noted(error);
    } finally {
      this.options.signal.removeEventListener('abort', this.onAbort);
    }
  }

  /**
   * Passes on the content as fast as it arrives, for a store that decides itself when the object is complete. Passes no
   * chunk before the head was accepted, and none that goes past a limit. While a promise of `take` is pending the
   * content is paused. The content is never destroyed.
   */
  async pump(take: (chunk: Buffer) => Promise<void> | undefined): Promise<void> {
    this.begin();
    try {
      const flowing = flow(this.content, (chunk) => this.hand(this.accept(bytesOf(chunk)), take));
      this.rejectNext = (error) => flowing.stop(error);
      await flowing.ended;
      await this.hand(this.showHead(), take);
      this.end();
    } catch (error) {
      throw this.noted(error);
    } finally {
      this.options.signal.removeEventListener('abort', this.onAbort);
    }
  }

  /** Ends a wait for the next chunk, because the destination has failed or closed. */
  stop(): void {
    this.isStopped = true;
    this.giveUp(new Error('the write has ended'));
  }

  /**
   * Returns the next chunk, undefined at the end. After `stop` a silent sender is no longer waited for; the owner of
   * the content handles the rest of it.
   */
  private next(source: AsyncIterator<unknown>): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      if (this.isStopped) {
        reject(new Error('the write has ended'));
        return;
      }
      this.rejectNext = reject;
      source.next().then(({ done, value }) => resolve(done ? undefined : bytesOf(value)), reject);
    });
  }

  /** Passes accepted bytes on. An error of `take` is not an error of the content. */
  private hand(
    accepted: Buffer | undefined,
    take: (chunk: Buffer) => Promise<void> | undefined,
  ): Promise<void> | undefined {
    return (
      accepted &&
      take(accepted)?.catch((error: unknown) => {
        this.isStopped = true;
        throw error;
      })
    );
  }

  private begin(): void {
    const { signal, size, maxBytes } = this.options;
    try {
      if (signal.aborted) throw aborted(signal);
      if (size !== undefined && size > maxBytes) throw fail('FILE_TOO_LARGE', { maxBytes });
    } catch (error) {
      throw this.noted(error);
    }
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  private end(): void {
    const { size } = this.options;
    if (size !== undefined && this.seenBytes !== size) throw this.otherSize(size);
    this.hasEnded = true;
  }

  /** Records the error as an error of the content unless the destination has failed before. */
  private noted(error: unknown): unknown {
    if (!this.isStopped) this.refused = { error };
    return error;
  }

  private giveUp(error: unknown): void {
    this.rejectNext?.(error);
  }

  /** Returns what may be passed on with this chunk: nothing until the head is complete. */
  private accept(chunk: Buffer): Buffer | undefined {
    const { size, maxBytes, signal } = this.options;
    if (signal.aborted) throw aborted(signal);
    this.seenBytes += chunk.length;
    if (this.seenBytes > maxBytes) throw fail('FILE_TOO_LARGE', { maxBytes });
    if (size !== undefined && this.seenBytes > size) throw this.otherSize(size);
    this.hash?.update(chunk);
    if (this.wasHeadShown) return chunk;
    this.head.push(chunk);
    return this.seenBytes >= headBytes ? this.showHead() : undefined;
  }

  private showHead(): Buffer | undefined {
    if (this.wasHeadShown) return undefined;
    this.wasHeadShown = true;
    const [first] = this.head;
    const held = this.head.length === 1 && first ? first : Buffer.concat(this.head);
    this.head = [];
    this.options.inspectHead?.(held.subarray(0, headBytes));
    return held.length > 0 ? held : undefined;
  }

  private otherSize(size: number): Error {
    return fail('UPLOAD_SIZE_MISMATCH', { size });
  }
}

/** The error of a write or read that its caller aborted. */
export function aborted(signal: AbortSignal): Error {
  return fail('REQUEST_ABORTED', {}, { cause: signal.reason });
}

function bytesOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (ArrayBuffer.isView(chunk)) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new TypeError('The content of an object is a stream of bytes');
}
