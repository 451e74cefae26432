// Openings of projects take turns: a few at once, the others in the order in which they came.

export interface OpeningQueueOptions {
  /** Openings at once. */
  readonly places: number;
  /** How long an opening may keep its place while it goes on; milliseconds. */
  readonly holdMs: number;
}

export class OpeningQueue {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly options: OpeningQueueOptions) {}

  /** Runs `open` when it has a place, and returns or throws what it does. */
  async run<T>(open: () => Promise<T>): Promise<T> {
    if (this.taken < this.options.places) this.taken += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    const release = this.releaseOnce();
    const limit = setTimeout(release, this.options.holdMs);
    limit.unref();
    try {
      return await open();
    } finally {
      clearTimeout(limit);
      release();
    }
  }

  /** The place goes to the first that waits. */
  private releaseOnce(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.waiting.shift();
      if (next) next();
      else this.taken -= 1;
    };
  }
}
