/** Runs one piece of work at a time, in the order of the calls. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work has ended, with or without an error, and returns or throws its result. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
