// Reads long bodies in turns of the event loop. Otherwise everything that the sockets have received is read in one
// turn, and other requests wait for it.

/** Bytes of long bodies that are read in one turn, not counting chunks already in progress. */
const bytesPerTurn = 256 * 1024;
/** How many waiting bodies continue in one turn. */
const bodiesPerTurn = 2;

/** Shared by the bodies of a process. */
export class Arrivals {
  /** Continues waiting bodies, in order. */
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #isTurnPlanned = false;

  /**
   * Counts `bytes` that were read. Returns false if the turn has read enough; then `goOn` is called in a later turn.
   */
  count(bytes: number, goOn: () => void): boolean {
    this.#bytes += bytes;
    this.#planTurn();
    if (this.#bytes <= bytesPerTurn) return true;
    this.#waiting.push(goOn);
    return false;
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    setImmediate(() => {
      this.#isTurnPlanned = false;
      this.#bytes = 0;
      for (const goOn of this.#waiting.splice(0, bodiesPerTurn)) goOn();
      if (this.#waiting.length > 0) this.#planTurn();
    });
  }
}
