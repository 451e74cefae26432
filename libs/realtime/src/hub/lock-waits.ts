// Channels whose changes wait for the end of a lock on a table, for example of a migration that is running. The feed goes
// on for all others.
import type { Clock } from '../ports.js';
import { type Channel, isIn } from './member.js';
import { type HubParts, type HubQuestion, lockOf } from './ports.js';

/** The pause between two attempts; each waits for the lock for a moment, too. */
const pauseMs = 250;
/** After this time the channels continue without what they have missed. */
const maxLockedMs = 30_000;

export interface LockWaitsParts extends Pick<HubParts, 'decide' | 'onError'> {
  readonly clock: Clock;
  /** Continues with a channel. `hasEnded`: the lock is gone, so that what the channel has missed can be replayed. */
  readonly release: (channel: Channel, hasEnded: boolean) => void;
}

/** The channels that wait for one lock, each until a time of its own. */
interface Wait {
  readonly untilByChannel: Map<Channel, number>;
  readonly question: HubQuestion;
}

export class LockWaits {
  readonly #waiting = new Map<string, Wait>();
  /** Since when channels wait, also those that were released and have found a table locked again. */
  readonly #since = new WeakMap<Channel, number>();

  constructor(private readonly parts: LockWaitsParts) {}

  /** Releases a channel when the question has an answer, at the end of its longest wait at the latest. */
  add(channel: Channel, question: HubQuestion): void {
    const key = lockOf(question.table, question.role);
    const since = this.#since.get(channel) ?? this.parts.clock.now();
    this.#since.set(channel, since);
    const until = since + maxLockedMs;
    const known = this.#waiting.get(key);
    if (known) {
      known.untilByChannel.set(channel, until);
      return;
    }
    const wait = { untilByChannel: new Map([[channel, until]]), question };
    this.#waiting.set(key, wait);
    void this.#wait(key, wait);
  }

  /** The channel has continued. */
  forget(channel: Channel): void {
    this.#since.delete(channel);
  }

  /** The question about a table of the channel for which others wait; undefined if none is known to be locked. */
  questionFor({ bound, member: { rights } }: Channel): HubQuestion | undefined {
    for (const { table } of this.#waiting.size === 0 ? [] : bound) {
      const wait = this.#waiting.get(lockOf(table, rights.role));
      if (wait) return wait.question;
    }
    return undefined;
  }

  /** Tries the question until it has an answer or no channel waits for it. */
  async #wait(key: string, { untilByChannel, question }: Wait): Promise<void> {
    const { clock, release } = this.parts;
    for (;;) {
      this.#releaseLate(untilByChannel);
      if (untilByChannel.size === 0) break;
      await new Promise<void>((resolve) => void clock.setTimer(pauseMs, resolve));
      if (!(await this.#isLocked(question))) break;
    }
    this.#waiting.delete(key);
    for (const channel of untilByChannel.keys()) release(channel, true);
  }

  /** Releases the channels that have waited for too long, and forgets those that have ended. */
  #releaseLate(untilByChannel: Map<Channel, number>): void {
    const now = this.parts.clock.now();
    for (const [channel, until] of untilByChannel) {
      if (isIn(channel) && now < until) continue;
      untilByChannel.delete(channel);
      if (isIn(channel)) this.parts.release(channel, false);
    }
  }

  async #isLocked(question: HubQuestion): Promise<boolean> {
    const { decide, onError } = this.parts;
    // Policies read the same tables for all callers, or nearly.
    const shortened = { ...question, audiences: question.audiences.slice(0, 1), bindings: [] };
    try {
      return (await decide(shortened)).isLocked;
    } catch (error) {
      onError(error, 'wait for a lock');
      return true;
    }
  }
}
