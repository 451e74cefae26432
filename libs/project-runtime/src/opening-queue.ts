// Opens projects a few at a time, in the order of their requests.

export interface OpeningQueueOptions {
  /** How many projects open at a time. */
  readonly places: number;
  /** After this time a slow opening continues but no longer counts; milliseconds. */
  readonly holdMs: number;
}

export class OpeningQueue {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly options: OpeningQueueOptions) {}

  /** Runs `open` when it has a place, and returns or throws its result. */
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

  /** The first waiting opening takes the place. */
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
