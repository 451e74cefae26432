import type { ReplyOwner } from './kept-reply.js';

/** Owns the replies that one piece of work reads itself. They are counted until the work ends. */
export class Reading implements ReplyOwner, Disposable {
  #releases: (() => void)[] = [];

  onEnd(release: () => void): void {
    this.#releases.push(release);
  }

  [Symbol.dispose](): void {
    for (const release of this.#releases.splice(0)) release();
  }
}
