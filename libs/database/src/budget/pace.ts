// Limits how many connections of a project work at the same time while other projects are active. If more of them work
// than the server has processors, every statement waits and none finishes earlier, which shows in the time of a
// statement.

/** This many connections of a project may always work at the same time. */
const leastAtOnce = 1;
/** Statements that take longer than this multiple of their usual time wait for each other on the server. */
const slowdown = 1.25;
/** The weight of a new time against earlier ones. */
const weight = 0.1;
/** How often the limit changes by one; milliseconds. */
const stepMs = 50;

/** The usual time of one kind of statement while few of the project work; milliseconds. Undefined until one has run. */
export interface Usual {
  calmMs: number | undefined;
}

/** The limit of one project. It falls while statements slow each other down, and rises while they do not. */
export class Pace {
  readonly #most: number;
  #limit: number;
  #slowness = 1;
  #movedAt = -Infinity;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Counts a statement that took `ms` while `working` connections of the project worked. */
  record(usual: Usual, { ms, working, now }: { ms: number; working: number; now: number }): void {
    if (working <= leastAtOnce) usual.calmMs = mixed(usual.calmMs ?? ms, ms);
    // Without a usual time, fewer work until there is one.
    this.#slowness = mixed(this.#slowness, usual.calmMs ? ms / usual.calmMs : 2 * slowdown);
    if (now - this.#movedAt < stepMs) return;
    this.#movedAt = now;
    if (this.#slowness >= slowdown) this.#limit = Math.max(leastAtOnce, this.#limit - 1);
    else if (this.#slowness < (1 + slowdown) / 2)
      this.#limit = Math.min(this.#most, this.#limit + 1);
  }
}

const mixed = (before: number, value: number): number => before + (value - before) * weight;
