// Divides the long work of all requests into turns of the event loop: a part of it runs in each turn, so that no turn
// gets long and short requests run in between.

/**
 * How long the work of one turn may take, in milliseconds. Short requests of others wait for it; a pause costs a few
 * hundredths of it.
 */
const sliceMs = 1;

/** Called after a step: returns a promise if other work runs first, which resolves when the request continues. */
export type Pause = () => Promise<void> | undefined;

/** The turns that the long work of a process shares. */
export class WorkTurns {
  readonly #now: () => number;
  /** Requests in a pause. One of them continues in each turn. */
  readonly #paused: (() => void)[] = [];
  /** When the long work of this turn began; undefined before it begins. */
  #begun: number | undefined;
  #isTurnPlanned = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns the `pause` of `inTurns` for one request. Work continues until the time of the turn is used up: a pause
   * after each step would cost more than most steps. If other requests are in a pause, the request queues behind them.
   */
  createPause(): Pause {
    let begun = this.#paused.length > 0 ? -Infinity : this.#now();
    return () => {
      if (this.#begun === undefined) {
        this.#begun = begun;
        this.#planTurn();
      }
      if (this.#now() - Math.min(begun, this.#begun) < sliceMs) return undefined;
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
