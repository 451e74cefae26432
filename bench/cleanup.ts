// What a run has opened and must close again: processes, folders, connections. Closed in reverse
// order, each one even when another fails, by `await using` or by a signal.

type Close = () => Promise<void> | void;

export class Cleanup {
  readonly #closers: Close[] = [];
  #closing: Promise<void> | undefined;

  /** Remembers how to close something; returns the thing. */
  keep<T>(opened: T, close: (opened: T) => Promise<void> | void): T {
    this.#closers.push(() => close(opened));
    return opened;
  }

  /** Closes what is open; a call meanwhile waits for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll().finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
