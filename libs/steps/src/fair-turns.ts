// Shares the event loop between projects. If a project sends many requests at once, all of them would otherwise run
// before the next request of another project.

/** Calls of one project that begin in one turn of the event loop while several projects are active. */
const startsPerProject = 2;
/** Waiting calls that begin in one turn, one project after the other. */
const waitersPerTurn = 2;
/** Calls of all projects that begin in one turn. */
const startsPerTurn = 8;
/** A project is active for this long after a call; milliseconds. */
const activeMs = 1_000;

/** The order in which calls of the projects of a process begin. A key names a project. */
export class FairTurns<Key> {
  readonly #now: () => number;
  /** Waiting calls by key; the first entry has the next turn. */
  readonly #waiting = new Map<Key, (() => void)[]>();
  #lastKey: Key | undefined;
  #areSeveralUntil = 0;
  /** Calls that have begun in this turn. */
  readonly #begunByKey = new Map<Key, number>();
  #begun = 0;
  #isTurnPlanned = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Calls `start` at once, or in a later turn of the event loop if the project has more calls than one turn takes. Calls
   * that wait delay those of their own project only.
   */
  schedule(key: Key, start: () => void): void {
    if (this.#mayBegin(key)) start();
    else this.#enqueue(key, start);
  }

  /** Undefined where {@link schedule} would call at once; else resolves when it would call. */
  wait(key: Key): Promise<void> | undefined {
    if (this.#mayBegin(key)) return undefined;
    return new Promise((resolve) => this.#enqueue(key, resolve));
  }

  /** Counts a call if it may begin. */
  #mayBegin(key: Key): boolean {
    if (!this.#areSeveral(key) && this.#waiting.size === 0) return true;
    this.#planTurn();
    const begunOfKey = this.#begunByKey.get(key) ?? 0;
    const isFull = begunOfKey >= startsPerProject || this.#begun >= startsPerTurn;
    if (isFull || this.#waiting.has(key)) return false;
    this.#count(key);
    return true;
  }

  #count(key: Key): void {
    this.#begun += 1;
    this.#begunByKey.set(key, (this.#begunByKey.get(key) ?? 0) + 1);
  }

  #enqueue(key: Key, start: () => void): void {
    const queue = this.#waiting.get(key);
    if (queue) queue.push(start);
    else this.#waiting.set(key, [start]);
  }

  /** Whether several projects are active. They are after a call of another project than the last one. */
  #areSeveral(key: Key): boolean {
    const now = this.#now();
    if (key !== this.#lastKey) {
      if (this.#lastKey !== undefined) this.#areSeveralUntil = now + activeMs;
      this.#lastKey = key;
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
    this.#begunByKey.clear();
    for (const [key, queue] of this.#waiting) {
      if (this.#begun === waitersPerTurn) break;
      const start = queue.shift();
      // Queues behind the other projects.
      this.#waiting.delete(key);
      if (queue.length > 0) this.#waiting.set(key, queue);
      if (!start) continue;
      this.#count(key);
      start();
    }
    if (this.#waiting.size > 0) this.#planTurn();
  }
}
