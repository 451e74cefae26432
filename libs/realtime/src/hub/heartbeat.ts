// Gives clients that receive no changes a new cursor from time to time. They could not go on from a cursor that is older
// than the lines of the outbox.
import type { Clock } from '../ports.js';
import type { Delivery } from './delivery.js';
import { Frame } from './frame.js';
import type { Channel } from './member.js';
import type { Subscriptions } from './subscriptions.js';

/** The outbox keeps lines for ten times as long. */
const everyMs = 60_000;
/** Channels that are served before other work has its turn. */
const atOnce = 500;

export interface HeartbeatParts {
  readonly clock: Clock;
  readonly subscriptions: Subscriptions;
  readonly delivery: Delivery;
  /** The cursor up to which everything has been delivered. */
  readonly cursor: () => string | undefined;
}

export class Heartbeat {
  #startedAt: number;
  #sent: string | undefined;

  constructor(private readonly parts: HeartbeatParts) {
    this.#startedAt = parts.clock.now();
  }

  /** Everything up to the cursor has been delivered. */
  reached(): void {
    const { clock, cursor, subscriptions } = this.parts;
    const now = clock.now();
    if (now - this.#startedAt < everyMs) return;
    this.#startedAt = now;
    const current = cursor();
    // Nothing has happened in the database: the clients have this one.
    if (current === undefined || current === this.#sent) return;
    this.#sent = current;
    const old = [...subscriptions.all()].filter(({ cursorAt }) => cursorAt <= now - everyMs);
    this.#send(old, { cursor: current, at: now });
  }

  #send(
    channels: readonly Channel[],
    place: { readonly cursor: string; readonly at: number },
  ): void {
    const { clock, delivery } = this.parts;
    const frames = new Map<string, Frame>();
    for (const channel of channels.slice(0, atOnce)) {
      const { topic, member, isJoined, waiting, heldAt, cursorAt } = channel;
      const isRecent = cursorAt > place.at - everyMs;
      if (!isJoined || waiting || heldAt !== undefined || isRecent) continue;
      const frame = frames.get(topic) ?? Frame.of('rt:pg', { t: topic, e: [], cur: place.cursor });
      frames.set(topic, frame);
      if (delivery.offer(member, frame)) channel.cursorAt = place.at;
    }
    const rest = channels.slice(atOnce);
    if (rest.length > 0) clock.setTimer(0, () => this.#send(rest, place));
  }
}
