// Limits the memory of long bodies of a process, from their first bytes to the end of their requests.

/** The fraction of the total that one project may hold. */
const share = 1 / 4;

/** What the long bodies of one project hold; bytes. Only the budget changes it. */
export interface HeldBodies {
  bytes: number;
}

/** Counts what the long bodies of all projects hold. */
export class BodyBudget {
  readonly #total: HeldBodies = { bytes: 0 };
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What all of them hold now. */
  get bytes(): number {
    return this.#total.bytes;
  }

  /** Begins to count a body, of a project if it has one. */
  hold(project?: HeldBodies): HeldBody {
    const counts = [{ held: this.#total, maxBytes: this.#maxBytes }];
    if (project) counts.push({ held: project, maxBytes: this.#maxBytes * share });
    return new HeldBody(counts);
  }
}

interface Count {
  readonly held: HeldBodies;
  readonly maxBytes: number;
}

/** One long body; it ends with `release`. */
export class HeldBody {
  readonly #counts: readonly Count[];
  #bytes = 0;

  constructor(counts: readonly Count[]) {
    this.#counts = counts;
  }

  /**
   * Takes memory for further bytes; false if others hold too much. A body without others always has room: the limit of
   * its route may be larger than the budget.
   */
  take(bytes: number): boolean {
    const isRoom = this.#counts.every(
      ({ held, maxBytes }) => held.bytes === this.#bytes || held.bytes + bytes <= maxBytes,
    );
    if (isRoom) this.#change(bytes);
    return isRoom;
  }

  release(): void {
    this.#change(-this.#bytes);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    for (const { held } of this.#counts) held.bytes += bytes;
  }
}
