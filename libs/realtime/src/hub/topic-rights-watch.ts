// Has the rights of private topics read again from time to time. Their policies read rows of the project, such as the
// members of a room, and nothing says which rows these are.
import type { Clock, Timer } from '../ports.js';
import type { Channel } from './member.js';

/** The next reading begins after a random pause between these. */
const shortestPauseMs = 10_000;
const longestPauseMs = 30_000;

export interface TopicRightsWatchParts {
  readonly clock: Clock;
  /** The channels of private topics. */
  readonly channels: () => readonly Channel[];
  readonly review: (channels: readonly Channel[]) => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
}

export class TopicRightsWatch {
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(private readonly parts: TopicRightsWatchParts) {}

  /** Watches while there are channels of private topics. */
  start(): void {
    if (this.#timer || this.#isClosed) return;
    const { clock, onError } = this.parts;
    const pauseMs = shortestPauseMs + Math.random() * (longestPauseMs - shortestPauseMs);
    this.#timer = clock.setTimer(pauseMs, () => {
      this.#review()
        .catch((error: unknown) => onError(error, 'review private topics'))
        .finally(() => this.#goOn());
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #review(): Promise<void> {
    const { channels, review } = this.parts;
    await review(channels());
  }

  #goOn(): void {
    this.#timer = undefined;
    if (this.parts.channels().length > 0) this.start();
  }
}
