import { WaitingLine } from './waiting-line.js';

/** Runs at most `max` works at the same time. Others wait, in order of arrival. */
export class Turns {
  readonly #line = new WaitingLine();
  #active = 0;

  constructor(private readonly max: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#active >= this.max) await this.#line.wait(new AbortController().signal);
    else this.#active += 1;
    try {
      return await work();
    } finally {
      // The next in the line takes over what is counted.
      if (!this.#line.resolveNext()) this.#active -= 1;
    }
  }
}
