// Joins with filters that cannot be checked while a table is locked, for example by a migration. Of the joins that wait for
// the same lock one is tried again for all; they wait without a place and without a connection.
import { fail } from '#libs/errors';

import type { Clock } from '../ports.js';
import { Places } from './places.js';
import { TableLocked } from './ports.js';

/** The pause between two attempts, and how long a join waits: clients wait 10 seconds for an answer. */
const pauseMs = 250;
const maxLockedMs = 8_000;

/** How an attempt of a join reads what is allowed. */
export interface AttemptOptions {
  /** Whether it has a place already; otherwise it waits for one of the places of all joins. */
  readonly hasPlace: boolean;
  /** Whether joins wait for a lock already: what needs it is not tried. */
  readonly isLocked: (lock: string) => boolean;
}

export interface LockedJoin<T> {
  /** Throws {@link TableLocked}. */
  readonly attempt: (options: AttemptOptions) => Promise<T>;
  /** Whether its client has gone. */
  readonly isGone: () => boolean;
}

type Outcome<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'locked'; readonly lock: string };

interface Waiting<T> {
  readonly join: LockedJoin<T>;
  /** Ends its wait with the outcome of its attempt; without one it tries itself. */
  readonly end: (outcome?: Promise<Outcome<T>>) => void;
}

export class LockedJoins<T> {
  /** The place of the attempts for all that wait: one for the project, so that its other joins have theirs. */
  readonly #places = new Places(1);
  /** By lock the joins that wait for its end, the oldest first. */
  readonly #waiting = new Map<string, Set<Waiting<T>>>();

  constructor(private readonly clock: Clock) {}

  /** Returns what the attempt returns as soon as no lock keeps it from an answer. Throws its errors, and PROJECT_BUSY. */
  async read(join: LockedJoin<T>): Promise<T> {
    const until = this.clock.now() + maxLockedMs;
    const isLocked = (lock: string): boolean => this.#waiting.has(lock);
    const tryOnce = () => outcomeOf(join.attempt({ hasPlace: false, isLocked }));
    let outcome = await tryOnce();
    while (outcome.kind === 'locked') {
      outcome = (await this.#wait(outcome.lock, join, until)) ?? (await tryOnce());
    }
    return outcome.value;
  }

  /** Waits for the end of the lock, until its time is over. The attempts for all that wait do not depend on it. */
  #wait(lock: string, join: LockedJoin<T>, until: number): Promise<Outcome<T> | undefined> {
    const { clock } = this;
    const known = this.#waiting.get(lock);
    const waiting = known ?? new Set();
    return new Promise((resolve, reject) => {
      const timer = clock.setTimer(Math.max(0, until - clock.now()), () => {
        waiting.delete(one);
        reject(fail('PROJECT_BUSY', {}, { retryAfterSeconds: 1 }));
      });
      const one: Waiting<T> = {
        join,
        end(outcome) {
          timer.cancel();
          waiting.delete(one);
          resolve(outcome);
        },
      };
      waiting.add(one);
      if (known) return;
      this.#waiting.set(lock, waiting);
      void this.#watch(lock, waiting);
    });
  }

  /** Tries until the lock has ended or no join waits for it. */
  async #watch(lock: string, waiting: ReadonlySet<Waiting<T>>): Promise<void> {
    do {
      await new Promise<void>((resolve) => void this.clock.setTimer(pauseMs, resolve));
    } while (await this.#places.run(() => this.#isHeld(lock, waiting)));
    this.#waiting.delete(lock);
    for (const { end } of waiting) end();
  }

  /** Tries the oldest join whose client is there; any outcome but this lock means that the lock has ended. */
  async #isHeld(lock: string, waiting: ReadonlySet<Waiting<T>>): Promise<boolean> {
    for (const { join, end } of waiting) if (join.isGone()) end();
    const [oldest] = waiting;
    if (!oldest) return false;
    const isLocked = (other: string): boolean => other !== lock && this.#waiting.has(other);
    const trying = outcomeOf(oldest.join.attempt({ hasPlace: true, isLocked }));
    const outcome = await trying.catch(() => undefined);
    if (outcome?.kind === 'locked' && outcome.lock === lock) return true;
    oldest.end(trying);
    return false;
  }
}

async function outcomeOf<T>(attempt: Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'found', value: await attempt };
  } catch (error) {
    if (!(error instanceof TableLocked)) throw error;
    return { kind: 'locked', lock: error.lock };
  }
}
