import { fail } from '#libs/errors';

/** Those who wait for something, first come first served. Whoever gives up leaves the line. */
export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Resolves when it is the turn of this one. Throws REQUEST_ABORTED (499) when the signal comes first. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(fail('REQUEST_ABORTED'));
        return;
      }
      const giveUp = () => {
        this.#waiting.delete(admit);
        reject(fail('REQUEST_ABORTED'));
      };
      const admit = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(admit);
    });
  }

  /** Lets the first one go; false when nobody waits. */
  admitNext(): boolean {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit);
      admit();
      return true;
    }
    return false;
  }
}
