/** Runs one piece of work at a time, in the order of the calls. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all earlier work has ended, well or badly, and returns or throws what it does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
