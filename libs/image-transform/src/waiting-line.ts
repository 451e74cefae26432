import { fail } from '#libs/errors';

/** Requests that wait for a place, in order of arrival. An aborted request leaves the line. */
export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is this request's turn. Throws REQUEST_ABORTED (499) if the signal aborts first. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(fail('REQUEST_ABORTED'));
        return;
      }
      const giveUp = () => {
        this.#waiting.delete(resume);
        reject(fail('REQUEST_ABORTED'));
      };
      const resume = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(resume);
    });
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
