// Shares the event loop between projects. If a project sends many requests at once, all of them would otherwise begin
// before the next request of another project.

/** Requests that begin in one turn of the event loop while several projects are active. */
const startsPerTurn = 2;
/** A project is active for this long after a request; milliseconds. */
const activeMs = 1_000;

/** The order in which requests of the projects of a process begin. */
export class FairTurns {
  readonly #now: () => number;
  /** Waiting requests by ref; the first entry has the next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #lastRef: string | undefined;
  #areSeveralUntil = 0;
  #begun = 0;
  #isTurnPlanned = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Calls `start` at once, or in a later turn of the event loop if more requests have come than one turn takes. */
  schedule(ref: string, start: () => void): void {
    if (!this.#areSeveral(ref) && this.#waiting.size === 0) {
      start();
      return;
    }
    this.#planTurn();
    if (this.#waiting.size === 0 && this.#begun < startsPerTurn) {
      this.#begun += 1;
      start();
      return;
    }
    const queue = this.#waiting.get(ref);
    if (queue) queue.push(start);
    else this.#waiting.set(ref, [start]);
  }

  /** Whether several projects are active. They are after a request of another project than the last one. */
  #areSeveral(ref: string): boolean {
    const now = this.#now();
    if (ref !== this.#lastRef) {
      if (this.#lastRef !== undefined) this.#areSeveralUntil = now + activeMs;
      this.#lastRef = ref;
    }
    return now < this.#areSeveralUntil;
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isTurnPlanned = false;
    this.#begun = 0;
    for (const [ref, queue] of this.#waiting) {
      if (this.#begun === startsPerTurn) break;
      this.#begun += 1;
      const start = queue.shift();
      // Queues behind the other projects.
      this.#waiting.delete(ref);
      if (queue.length > 0) this.#waiting.set(ref, queue);
      start?.();
    }
    if (this.#waiting.size > 0) this.#planTurn();
  }
}
