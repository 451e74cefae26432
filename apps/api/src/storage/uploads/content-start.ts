// Reads the beginning of content of unknown length. Short content ends within it, and then its length is known and
// needs no growing reservation.
import type { Readable } from 'node:stream';

import type { SenderWatch } from './sender-watch.js';

/** Content up to this length is kept in memory. */
export const startBytes = 64 * 1024;

/** Bytes that were read and those that follow. To be read once. */
export class ContentStart {
  private constructor(
    private readonly held: readonly Buffer[],
    private readonly following: AsyncIterator<unknown> | undefined,
    private readonly watch: SenderWatch,
  ) {}

  /** Reads until the end of the content, or a little past {@link startBytes}. */
  static async read(content: Readable, watch: SenderWatch): Promise<ContentStart> {
    const following = content.iterator({ destroyOnReturn: false });
    const held: Buffer[] = [];
    let size = 0;
    while (size <= startBytes) {
      const chunk = await nextChunk(following, watch);
      if (!chunk) return new ContentStart(held, undefined, watch);
      held.push(chunk);
      size += chunk.length;
    }
    return new ContentStart(held, following, watch);
  }

  /** Bytes that were read. */
  get size(): number {
    return this.held.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  /** Whether nothing follows. */
  get isWhole(): boolean {
    return this.following === undefined;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    yield* this.held;
    const { following } = this;
    if (!following) return;
    // In order, and no sooner than the reader of these chunks wants more.
    for (
      let chunk = await nextChunk(following, this.watch);
      chunk;
      chunk = await nextChunk(following, this.watch)
    ) {
      yield chunk;
    }
  }
}

async function nextChunk(
  following: AsyncIterator<unknown>,
  watch: SenderWatch,
): Promise<Buffer | undefined> {
  const { done, value } = await watch.orEnded(following.next());
  if (done === true) return undefined;
  if (!Buffer.isBuffer(value)) throw new TypeError('The body of a request is a stream of bytes');
  return value;
}
