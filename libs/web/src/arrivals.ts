// Long bodies arrive in turns of the event loop. All that sockets have received is otherwise read in one turn, and
// other requests wait for it.

/** Bytes of long bodies that are read in one turn, beside the pieces that are on their way. */
const bytesPerTurn = 256 * 1024;
/** Bodies that go on in one turn when they had to wait. */
const bodiesPerTurn = 2;

/** The turns in which the bodies of a process are read. */
export class Arrivals {
  /** What lets bodies go on that wait, in their order. */
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #isTurnPlanned = false;

  /** Counts `bytes` that were read; false when the turn has had enough: `goOn` is called in a later one then. */
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
