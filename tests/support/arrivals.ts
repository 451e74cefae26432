// What reaches a server of the tests, in order. A test takes what it waits for, each thing once, so that
// the second code to the same person is not mistaken for the first.

const patienceMs = 10_000;

export class Arrivals<T> {
  readonly #all: T[] = [];
  readonly #taken = new Set<T>();
  readonly #waiting = new Set<() => void>();

  /** Everything that has arrived, taken or not. */
  get all(): readonly T[] {
    return this.#all;
  }

  add(arrived: T): void {
    this.#all.push(arrived);
    this.#waiting.forEach((look) => look());
  }

  /** Takes the oldest match that nobody has taken, or waits for one, 10 s at most. */
  take(matches: (arrived: T) => boolean, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.#all.find((arrived) => !this.#taken.has(arrived) && matches(arrived));
        if (found === undefined) return;
        this.#taken.add(found);
        this.#waiting.delete(look);
        clearTimeout(timer);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(
          new Error(`no ${what} in ${patienceMs / 1000} s; ${this.#all.length} arrived in all`),
        );
      }, patienceMs);
      this.#waiting.add(look);
      look();
    });
  }
}
