// Long work of all requests in turns of the event loop: one part of it in each turn, so that no turn gets long and
// short requests come in between.

/** How long the work of one turn may take before others get the event loop; milliseconds. */
const maxSliceMs = 5;
/** The same while other requests wait for theirs. */
const sharedSliceMs = 2;

/** Says after a step whether other work runs first: a promise then, which resolves when the request goes on. */
export type Pause = () => Promise<void> | undefined;

/** The turns that the long work of a process shares. */
export class WorkTurns {
  readonly #now: () => number;
  /** Requests that are in a pause. One of them goes on in each turn. */
  readonly #paused: (() => void)[] = [];
  /** When the long work of this turn began; undefined while there was none. */
  #begun: number | undefined;
  #isTurnPlanned = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns the `pause` of `inTurns` for one request. Work goes on until the turn has had its time: a pause after each
   * step would cost more than most steps. A request that finds others in a pause goes behind them.
   */
  createPause(): Pause {
    let begun = this.#paused.length > 0 ? -Infinity : this.#now();
    return () => {
      if (this.#begun === undefined) {
        this.#begun = begun;
        this.#planTurn();
      }
      const limitMs = this.#paused.length > 0 ? sharedSliceMs : maxSliceMs;
      if (this.#now() - Math.min(begun, this.#begun) < limitMs) return undefined;
      return new Promise((resolve) => {
        this.#paused.push(() => {
          begun = this.#now();
          this.#begun = begun;
          resolve();
        });
        this.#planTurn();
      });
    };
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    setImmediate(() => {
      this.#isTurnPlanned = false;
      this.#begun = undefined;
      const goOn = this.#paused.shift();
      if (!goOn) return;
      goOn();
      this.#planTurn();
    });
  }
}

const turns = new WorkTurns(() => performance.now());

/** Returns a `pause` of the turns that all requests of the process share. */
export function createPause(): Pause {
  return turns.createPause();
}
