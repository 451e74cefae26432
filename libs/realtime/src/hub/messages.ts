// Messages between clients: from a socket, from a server over HTTP, or from SQL, to everybody in a room.
import { fail } from '#libs/errors';
import type { Rate } from '#libs/realtime-core';
import { isRecord } from '#libs/wire';

import type { Channel } from './member.js';
import { Frame } from './frame.js';
import { type Inspection, inspectedRoom } from './inspection.js';
import type { Clock } from '../ports.js';
import type { Exchange } from './ports.js';
import { type Room, roomKey, type Rooms } from './rooms.js';
import { SharedRate } from './shared-rate.js';

/**
 * Messages times their receivers: how many deliveries the messages of a project may be in this process. All projects share
 * the event loop, and one message is as many writes as it has receivers. Messages of SQL and of other processes are sent
 * whatever is left.
 */
export const deliveryRate: Rate = { perSecond: 100_000, burst: 100_000 };

export interface Message extends Room {
  readonly event: string;
  /** Text of a JSON value. */
  readonly payload: string;
}

/** Where a message comes from. */
export interface Origin {
  /** The channel of its sender, if that does not receive it. */
  readonly except?: Channel | undefined;
  /** Whose share of the deliveries it takes; absent for messages of SQL and of other processes. */
  readonly sender?: string | undefined;
}

export interface MessagesParts {
  readonly rooms: Rooms;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly inspection: Inspection;
}

export class Messages {
  /** Messages of this process. */
  passed = 0;
  readonly #listening = new Map<string, () => void>();
  readonly #deliveries: SharedRate;

  constructor(private readonly parts: MessagesParts) {
    this.#deliveries = new SharedRate(
      () => parts.clock.now(),
      () => deliveryRate,
    );
  }

  /** Milliseconds until a sender has deliveries left; 0 if it has some. */
  waitMs(sender: string): number {
    return this.#deliveries.waitMs(sender);
  }

  /** Passes on a message to all processes. Returns how many clients of this one receive it. */
  pass(message: Message, origin: Origin = {}): number {
    const { exchange } = this.parts;
    if (exchange.hasOthers) exchange.publish(channelOf(message), message);
    return this.passHere(message, origin);
  }

  /** Passes on a message that each process learns of by itself. */
  passHere(message: Message, { except, sender }: Origin = {}): number {
    this.passed += 1;
    const { topic, event, payload } = message;
    const head = JSON.stringify({ t: topic, event });
    const frame = new Frame('rt:msg', `${head.slice(0, -1)},"payload":${payload}}`);
    const receivers = this.parts.rooms.send(message, 'broadcast', frame, except);
    this.#deliveries.take(receivers, sender);
    this.parts.inspection.note(() => ({
      kind: 'message',
      ...inspectedRoom(message),
      event,
      bytes: Buffer.byteLength(payload),
      receivers,
    }));
    return receivers;
  }

  /** Receives the messages of other processes for a room, while it has channels here. */
  listen(room: Room): void {
    const { exchange } = this.parts;
    const stop = exchange.subscribe(channelOf(room), (data) => {
      if (isMessage(data)) this.passHere({ ...data, ...room });
    });
    this.#listening.set(roomKey(room), stop);
  }

  unlisten(room: Room): void {
    this.#listening.get(roomKey(room))?.();
    this.#listening.delete(roomKey(room));
  }

  close(): void {
    for (const stop of this.#listening.values()) stop();
    this.#listening.clear();
  }
}

/** Throws FRAME_TOO_LARGE. */
export function requireSize({ payload }: Message, maxBytes: number): void {
  if (Buffer.byteLength(payload) > maxBytes) throw fail('FRAME_TOO_LARGE', { maxBytes });
}

const channelOf = (room: Room): string => `message ${roomKey(room)}`;

function isMessage(data: unknown): data is Pick<Message, 'event' | 'payload'> {
  return isRecord(data) && typeof data['event'] === 'string' && typeof data['payload'] === 'string';
}
