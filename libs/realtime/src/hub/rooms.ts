// The channels of this process by room. A private topic and a public one of the same name are two rooms: who may join
// the public one must not receive what is sent to the private one.
import type { Channel } from './member.js';
import type { Delivery } from './delivery.js';
import type { Frame } from './frame.js';

export interface Room {
  readonly topic: string;
  readonly isPrivate: boolean;
}

/** A topic with the clients of this process that have joined it. */
export interface JoinedRoom {
  readonly topic: string;
  readonly private: boolean;
  /** Connections that have joined it. */
  readonly connections: number;
  /** Those of them that are present: they have sent `rt:track`. */
  readonly present: number;
}

/** What a frame carries, for which private topics have separate rights. */
export type Extension = 'broadcast' | 'presence';

/** The text that names a room. */
export function roomKey({ topic, isPrivate }: Room): string {
  return `${isPrivate ? 'private' : 'public'}:${topic}`;
}

export function roomOf({ topic, config }: Channel): Room {
  return { topic, isPrivate: config.isPrivate };
}

export class Rooms {
  readonly #channels = new Map<string, Set<Channel>>();

  constructor(private readonly delivery: Delivery) {}

  get size(): number {
    return this.#channels.size;
  }

  /** Returns whether it is the first channel of its room. */
  add(channel: Channel): boolean {
    const key = roomKey(roomOf(channel));
    const channels = this.#channels.get(key) ?? new Set();
    this.#channels.set(key, channels.add(channel));
    return channels.size === 1;
  }

  /** Returns whether it was the last channel of its room. */
  remove(channel: Channel): boolean {
    const key = roomKey(roomOf(channel));
    const channels = this.#channels.get(key);
    if (!channels?.delete(channel) || channels.size > 0) return false;
    return this.#channels.delete(key);
  }

  in(room: Room): Iterable<Channel> {
    return this.#channels.get(roomKey(room)) ?? [];
  }

  /** What clients of this process have joined, by topic; of one name, the public room comes first. */
  list(): readonly JoinedRoom[] {
    return [...this.#channels.values()].flatMap(joinedRoom).toSorted(byName);
  }

  /** Sends a frame to the channels of a room that may receive it, and returns how many these are. */
  send(room: Room, extension: Extension, frame: Frame, except?: Channel): number {
    let receivers = 0;
    for (const channel of this.in(room)) {
      const mayReceive =
        channel.isJoined && !channel.member.isHeld && channel.rights.mayReceive[extension];
      if (channel === except || !mayReceive) continue;
      if (this.delivery.offer(channel.member, frame)) receivers += 1;
    }
    return receivers;
  }
}

/** Empty for a room whose channels all wait for the acknowledgement of their join. */
function joinedRoom(channels: ReadonlySet<Channel>): readonly JoinedRoom[] {
  const joined = [...channels].filter(({ isJoined }) => isJoined);
  const [first] = joined;
  if (!first) return [];
  const present = joined.filter(({ presentBytes }) => presentBytes > 0).length;
  const { topic, config } = first;
  return [{ topic, private: config.isPrivate, connections: joined.length, present }];
}

function byName(one: JoinedRoom, other: JoinedRoom): number {
  if (one.topic !== other.topic) return one.topic < other.topic ? -1 : 1;
  return Number(one.private) - Number(other.private);
}
