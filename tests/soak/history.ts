// When things happened. A change holds from some moment between its request and its answer; before and after
// that time it is known for certain what holds.

/** From the moment before a request was sent to the moment after its answer came, in ticks of one clock. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Gives every event a number: what came later has the greater one. */
export class Clock {
  #ticks = 0;

  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }
}

interface Change<Value> {
  readonly value: Value;
  readonly begin: number;
  /** Infinite while the answer is awaited. */
  end: number;
}

/** Longer than the changes of one thing that a single request can meet. */
const maxChanges = 64;

/** The values that one thing has had. Changes follow one another: the next begins when the last has ended. */
export class History<Value> {
  #changes: Change<Value>[];

  constructor(first: Value, at: number) {
    this.#changes = [{ value: first, begin: at, end: at }];
  }

  /** A change whose request is sent now. */
  begin(value: Value, at: number): { readonly finish: (at: number) => void; cancel: () => void } {
    const change = { value, begin: at, end: Infinity };
    this.#changes = [...this.#changes, change].slice(-maxChanges);
    return {
      finish: (end) => {
        change.end = end;
      },
      // The change was refused: nothing has happened.
      cancel: () => {
        this.#changes = this.#changes.filter((each) => each !== change);
      },
    };
  }

  /** What may have held at some moment of a request. */
  possible({ begin, end }: Span): readonly Value[] {
    let values: Value[] = [];
    for (const change of this.#changes) {
      if (change.end < begin) values = [change.value];
      else if (change.begin < end) values.push(change.value);
    }
    return values;
  }

  /** The value of the last change that was begun. */
  get latest(): Value {
    const last = this.#changes.at(-1);
    if (!last) throw new Error('a history has at least one value');
    return last.value;
  }
}
