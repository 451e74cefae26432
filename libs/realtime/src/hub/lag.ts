// How far the clients of a project are behind its database.
import type { Change } from '../feed/lines.js';
import type { Clock } from '../ports.js';

/** How long the delay of the last changes is the answer; milliseconds. */
const recentMs = 60_000;
/** A reader that is well reads more often; milliseconds. */
const silentMs = 3_000;

export interface LagParts {
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class Lag {
  #delayMs = 0;
  #sentAt = -Infinity;
  #reachedAt: number;

  constructor(private readonly parts: LagParts) {
    this.#reachedAt = parts.clock.now();
  }

  /** These have been sent: the newest of them says how long that took, by the clocks of the database and this process. */
  sent(changes: readonly Change[]): void {
    const newest = changes.at(-1);
    if (!newest) return;
    this.#delayMs = Math.max(0, this.parts.now() - Date.parse(newest.at));
    this.#sentAt = this.parts.clock.now();
  }

  /** Everything that has been committed was delivered, or the next page follows at once. */
  reached(): void {
    this.#reachedAt = this.parts.clock.now();
  }

  /** Milliseconds: the delay of the last changes of this minute, or the time since the last reading that was complete. */
  read(): number {
    const now = this.parts.clock.now();
    const silence = now - this.#reachedAt;
    const delay = now - this.#sentAt < recentMs ? this.#delayMs : 0;
    return Math.round(Math.max(delay, silence > silentMs ? silence : 0));
  }
}
