/** Requests that wait for their turn, in order of arrival. A request that is aborted leaves the line. */
export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is this request's turn. Rejects with the reason of the signal if that aborts first. */
  wait(signal: AbortSignal): Promise<void> {
    return untilAborted(
      new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => this.#waiting.delete(resolve), { once: true });
      }),
      signal,
    );
  }

  /** Resolves the first wait; false if the line is empty. */
  resolveNext(): boolean {
    for (const resume of this.#waiting) {
      this.#waiting.delete(resume);
      resume();
      return true;
    }
    return false;
  }
}

/** Rejects with the reason of the signal if that aborts before the work has ended, which goes on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
