// A number of places for work that is done at the same time.

export interface Turn {
  /** Of the calls with the same one only one has a place at a time. */
  readonly user?: unknown;
  /** Comes before all calls that wait without it. */
  readonly comesFirst?: boolean;
  /** Names the call for {@link Places.cancel}. */
  readonly owner?: unknown;
}

interface Waiting {
  readonly turn: Turn;
  readonly begin: () => void;
  readonly refuse: (reason: Error) => void;
}

export class Places {
  #free: number;
  readonly #users = new Set<unknown>();
  #waiting: Waiting[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** How many calls wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs `work` when a place is free; returns or throws its result. Calls have their places in their order, except those
   * that come first, and those whose user has one already.
   */
  async run<T>(work: () => Promise<T>, turn: Turn = {}): Promise<T> {
    await new Promise<void>((begin, refuse) => {
      const waiting = { turn, begin, refuse };
      const place = turn.comesFirst ? this.#waiting.findIndex((one) => !one.turn.comesFirst) : -1;
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiting);
      this.#beginNext();
    });
    try {
      return await work();
    } finally {
      this.#free += 1;
      this.#users.delete(turn.user);
      this.#beginNext();
    }
  }

  /** Ends the waiting of the calls with this owner; they throw the reason. */
  cancel(owner: unknown, reason: Error): void {
    const cancelled = this.#waiting.filter(({ turn }) => turn.owner === owner);
    if (cancelled.length === 0) return;
    this.#waiting = this.#waiting.filter(({ turn }) => turn.owner !== owner);
    for (const { refuse } of cancelled) refuse(reason);
  }

  #beginNext(): void {
    if (this.#free === 0) return;
    const index = this.#waiting.findIndex(({ turn: { user } }) => !this.#users.has(user));
    const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!next) return;
    this.#free -= 1;
    if (next.turn.user !== undefined) this.#users.add(next.turn.user);
    next.begin();
  }
}
