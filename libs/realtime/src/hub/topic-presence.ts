// Who is in the rooms of this process, with what they say of themselves. Processes send each other their own members;
// clients receive the whole state, at most a few times a second.
import {
  changePresence,
  emptyPresence,
  type Presence,
  type PresenceChange,
  presenceState,
  type PresenceState,
  type Tracked,
} from '#libs/realtime-core';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import type { Clock, Timer } from '../ports.js';
import { Frame } from './frame.js';
import { type Inspection, inspectedRoom } from './inspection.js';
import type { Exchange } from './ports.js';
import { type Room, roomKey, type Rooms } from './rooms.js';

/** The least time between two frames with the state of a room, for each part of this length; a small one has one. */
const pauseMs = 250;
const charactersPerPause = 64 * 1024;
/** Everybody receives the whole state: no more is tracked in a room whose state has more characters of JSON. */
const maxLength = 1024 * 1024;
/** How often processes send each other everything again, because words may be lost. */
const repeatMs = 10_000;

interface PresentRoom {
  readonly room: Room;
  presence: Presence;
  /** Changes of this moment. */
  waiting: PresenceChange[];
  /** Runs until the next frame. */
  timer: Timer | undefined;
  sentAt: number;
  /** Of the state that was sent last as JSON, with what has been tracked since; in characters. */
  length: number;
  /** Whether the clients, and the other processes, do not have the state yet. */
  isUnsent: boolean;
  isUnpublished: boolean;
  readonly stop: () => void;
}

export interface TopicPresenceParts {
  readonly rooms: Rooms;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly inspection: Inspection;
}

export class TopicPresence {
  readonly #rooms = new Map<string, PresentRoom>();
  readonly #stopGone: () => void;
  #repeating: Timer | undefined;

  constructor(private readonly parts: TopicPresenceParts) {
    this.#repeat();
    this.#stopGone = parts.exchange.onGone((node) => {
      for (const present of this.#rooms.values())
        this.#change(present, { kind: 'node-gone', node });
    });
  }

  /** Begins to follow a room that has its first channel here. */
  open(room: Room): void {
    const { exchange } = this.parts;
    const key = roomKey(room);
    const stop = exchange.subscribe(channelOf(room), (data) => this.#receive(key, data));
    this.#rooms.set(key, {
      room,
      presence: emptyPresence,
      waiting: [],
      timer: undefined,
      sentAt: -Infinity,
      length: 0,
      isUnsent: false,
      isUnpublished: false,
      stop,
    });
    exchange.publish(channelOf(room), { kind: 'ask' });
  }

  /** Its last channel here has gone. */
  shut(room: Room): void {
    const key = roomKey(room);
    const present = this.#rooms.get(key);
    if (!present) return;
    present.timer?.cancel();
    present.stop();
    this.#rooms.delete(key);
  }

  /** Throws PRESENCE_FULL. */
  track(room: Room, socket: string, tracked: Tracked): void {
    const present = this.#rooms.get(roomKey(room));
    const { length } = tracked.payload;
    if (present) {
      if (present.length + length > maxLength) throw fail('PRESENCE_FULL', { topic: room.topic });
      present.length += length;
    }
    this.#changeOwn(room, { kind: 'track', member: this.#member(socket), tracked });
  }

  untrack(room: Room, socket: string): void {
    this.#changeOwn(room, { kind: 'untrack', member: this.#member(socket) });
  }

  /** What is tracked in a room; undefined if nothing is. */
  stateOf(room: Room): PresenceState | undefined {
    const present = this.#rooms.get(roomKey(room));
    if (!present) return undefined;
    this.#settle(present);
    return present.presence.size === 0 ? undefined : presenceState(present.presence);
  }

  close(): void {
    this.#stopGone();
    this.#repeating?.cancel();
    for (const { room } of this.#rooms.values()) this.shut(room);
  }

  #repeat(): void {
    const { clock, exchange } = this.parts;
    this.#repeating = clock.setTimer(repeatMs, () => {
      for (const present of this.#rooms.values()) {
        if (present.presence.has(exchange.node)) this.#publish(present);
      }
      this.#repeat();
    });
  }

  #member(socket: string) {
    return { node: this.parts.exchange.node, socket };
  }

  #changeOwn(room: Room, change: PresenceChange): void {
    const present = this.#rooms.get(roomKey(room));
    if (!present) return;
    this.#change(present, change);
  }

  /** Sends the state soon, once for all changes until then. */
  #change(present: PresentRoom, change: PresenceChange): void {
    const { clock } = this.parts;
    present.waiting.push(change);
    if (present.timer) return;
    const pauses = Math.ceil(present.length / charactersPerPause) || 1;
    const waitMs = Math.max(0, present.sentAt + pauseMs * pauses - clock.now());
    present.timer = clock.setTimer(waitMs, () => this.#send(present));
  }

  #send(present: PresentRoom): void {
    const { rooms, clock, inspection } = this.parts;
    present.timer = undefined;
    present.sentAt = clock.now();
    this.#settle(present);
    const { room, presence, isUnsent, isUnpublished } = present;
    present.isUnsent = false;
    if (isUnsent) {
      const state = presenceState(presence);
      const frame = Frame.of('rt:presence', { t: room.topic, state });
      present.length = frame.json.length;
      const receivers = rooms.send(room, 'presence', frame);
      const keys = Object.keys(state).length;
      inspection.note(() => ({ kind: 'presence', ...inspectedRoom(room), keys, receivers }));
    }
    if (isUnpublished) this.#publish(present);
  }

  /** Takes in the changes that wait. */
  #settle(present: PresentRoom): void {
    const { presence, waiting } = present;
    present.waiting = [];
    present.presence = changePresence(presence, waiting);
    if (present.presence === presence) return;
    present.isUnsent = true;
    present.isUnpublished ||= waiting.some((change) => this.#isOwn(change));
  }

  #isOwn(change: PresenceChange): boolean {
    const node = 'member' in change ? change.member.node : change.node;
    return node === this.parts.exchange.node;
  }

  /** Publishes the members of this process. */
  #publish(present: PresentRoom): void {
    const { exchange } = this.parts;
    const { room, presence } = present;
    present.isUnpublished = false;
    if (!exchange.hasOthers) return;
    const members = [...(presence.get(exchange.node) ?? [])];
    exchange.publish(channelOf(room), { kind: 'members', node: exchange.node, members });
  }

  #receive(key: string, data: unknown): void {
    const present = this.#rooms.get(key);
    if (!present || !isRecord(data)) return;
    if (data['kind'] === 'ask') {
      this.#settle(present);
      if (present.presence.has(this.parts.exchange.node)) this.#publish(present);
    } else if (data['kind'] === 'members') {
      // Another process of this deployment has written it.
      const { node, members } = data as unknown as {
        node: string;
        members: readonly (readonly [string, Tracked])[];
      };
      this.#change(present, { kind: 'node', node, members: new Map(members) });
    }
  }
}

const channelOf = (room: Room): string => `presence ${roomKey(room)}`;
