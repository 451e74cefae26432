/**
 * The clock of the server as a page knows it. Each event says when it was sent; the fastest event says how
 * far the clock of the browser is off. How long that one was under way is not known, and counts as nothing.
 */
export class ServerClock {
  #offset = -Infinity;

  /** When an event arrived that was sent at `sentAt`; milliseconds since 1970, by the clock of the server. */
  arrived(sentAt: number, now: number): number {
    this.#offset = Math.max(this.#offset, sentAt - now);
    return now + this.#offset;
  }
}
