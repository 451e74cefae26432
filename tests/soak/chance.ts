const modulus = 2 ** 31 - 1;
const multiplier = 48_271;

/** Random decisions that a seed repeats. They go on for hours, so nothing is kept but one number. */
export class Chance {
  #state: number;

  /** `seed` is any whole number. */
  constructor(seed: number) {
    this.#state = (Math.abs(seed) % (modulus - 1)) + 1;
    // Neighboring seeds begin alike.
    for (let round = 0; round < 20; round += 1) this.below(2);
  }

  /** A whole number from 0 on that is less than `count`. */
  below(count: number): number {
    this.#state = (this.#state * multiplier) % modulus;
    return Math.floor((this.#state / modulus) * count);
  }

  /** True in `percent` of all cases. */
  is(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Undefined when there is nothing to pick from. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** One of the names, as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    // What Object.entries gives are the names of the record.
    const entries = Object.entries<number>(weights) as [Name, number][];
    let left = this.below(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [name, weight] of entries) {
      if (left < weight) return name;
      left -= weight;
    }
    throw new Error('there is nothing to choose from');
  }
}
