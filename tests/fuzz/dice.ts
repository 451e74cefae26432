// Decisions for whatever is made at random. They are numbers that fast-check draws, so that a seed repeats
// them and a counterexample shrinks: towards 0, which is why the plainest choice comes first everywhere.
import fc, { type GeneratorValue } from 'fast-check';

const upTo = (max: number) => fc.nat({ max });

export class Dice {
  readonly #generate: GeneratorValue;

  constructor(generate: GeneratorValue) {
    this.#generate = generate;
  }

  /** Dice that fall the same way for the same seed. */
  static ofSeed(seed: number): Dice {
    const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 });
    if (!generate) throw new Error('fast-check gave no sample');
    return new Dice(generate);
  }

  /** A whole number from 0 to `max`, both included. */
  upTo(max: number): number {
    return max <= 0 ? 0 : this.#generate(upTo, max);
  }

  /** True in `percent` of all cases. */
  chance(percent: number): boolean {
    return this.upTo(99) >= 100 - percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.upTo(items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  /** At least `least` and at most `most` things; each further one is as likely as `percent` says. */
  many<Item>(
    { least = 0, most, percent = 50 }: { least?: number; most: number; percent?: number },
    make: (index: number) => Item,
  ): Item[] {
    const made: Item[] = [];
    while (made.length < least || (made.length < most && this.chance(percent))) {
      made.push(make(made.length));
    }
    return made;
  }
}
