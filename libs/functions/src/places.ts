// The places for processes, over all projects of the host. A process that is idle gives its place to a new one.
import { setTimeout as delay } from 'node:timers/promises';

import { fail } from '#libs/errors';

/** A process with a place. */
export interface Holder {
  readonly isIdle: boolean;
  readonly lastUsedAt: number;
  /** Resolves when it is gone. */
  end(reason: 'idle'): Promise<void>;
}

export interface Place {
  /** Belongs to one project, whose processes have at most three quarters of all places. */
  readonly owner: object;
  holder: Holder | undefined;
}

const waitMs = 5_000;
const retryAfterSeconds = 2;

export class Places {
  readonly #taken = new Set<Place>();
  readonly #maxOfOwner: number;
  #waiting: (() => void)[] = [];

  constructor(private readonly max: number) {
    this.#maxOfOwner = Math.ceil((max * 3) / 4);
  }

  /**
   * Resolves when a place is free; the process that was not used for the longest time is ended for it. Throws
   * FUNCTIONS_UNAVAILABLE when all are busy for five seconds.
   */
  async acquire(owner: object): Promise<Place> {
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      const own = [...this.#taken].filter((place) => place.owner === owner);
      const isFull = own.length >= this.#maxOfOwner;
      if (!isFull && this.#taken.size < this.max) {
        const place: Place = { owner, holder: undefined };
        this.#taken.add(place);
        return place;
      }
      const victim = leastRecentlyUsed(isFull ? own : [...this.#taken]);
      if (victim !== undefined) {
        await victim.end('idle');
        continue;
      }
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= 0) {
        const reason = 'all processes are busy';
        throw fail('FUNCTIONS_UNAVAILABLE', { reason }, { retryAfterSeconds });
      }
      await Promise.race([this.#nextChange(), delay(leftMs, undefined, { ref: false })]);
    }
  }

  release(place: Place): void {
    this.#taken.delete(place);
    this.changed();
  }

  /** A process has become idle. */
  changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function leastRecentlyUsed(places: readonly Place[]): Holder | undefined {
  return places
    .flatMap(({ holder }) => (holder?.isIdle === true ? [holder] : []))
    .toSorted((a, b) => a.lastUsedAt - b.lastUsedAt)[0];
}
