// One connected client: its socket, its current rights, and the channels that it has joined.
import { type AppError, fail } from '#libs/errors';
import { type Bucket, fullBucket, type JoinConfig } from '#libs/realtime-core';
import type { Credential } from '#libs/wire';

import type { Timer } from '../ports.js';
import type { Frame } from './frame.js';
import type { BoundTable, RealtimeSocket } from './ports.js';
import { type Rights, senderOf, type TopicRights } from './rights.js';

/** A topic that a client has joined, with what it asked for. */
export interface Channel {
  readonly topic: string;
  readonly member: Member;
  readonly config: JoinConfig;
  /** Under which its presence is kept. */
  readonly presenceKey: string;
  bound: readonly BoundTable[];
  /** The ids of bindings that the server has ended; they are no longer among {@link bound}. */
  readonly ended: Set<string>;
  /** Names its bindings and their tables: channels with the same ones ask for the same changes. */
  boundKey: string;
  rights: TopicRights;
  /** When these were last read; milliseconds of the clock. */
  rightsReadAt: number;
  /** The tables for which it keeps the gate open. */
  listened: readonly number[];
  /** How many times it has begun to listen; the last one decides. */
  listens: number;
  /** Ends the watch over the schema that the channel needs. */
  readonly releaseSchema: () => void;
  /** What it tracks, in bytes of JSON; 0 before `rt:track` and after `rt:untrack`. */
  presentBytes: number;
  /** The cursor of its acknowledgement, or from which it continued with a new token. */
  cursor: string;
  /** When it was last sent changes or a cursor; milliseconds of the clock. */
  cursorAt: number;
  /** Where it goes on when its member, to which nothing is sent at the moment, is not held any more. */
  heldAt: string | undefined;
  /** False until the join is acknowledged, and after the channel has ended. */
  isJoined: boolean;
  /** The acknowledgement of the join has gone out; frames may follow. */
  isAcknowledged: boolean;
  /** Frames that must not arrive before the acknowledgement; undefined once they may. */
  waiting: Frame[] | undefined;
}

/** Whether a channel is still the one of its member. */
export function isIn(channel: Channel): boolean {
  return channel.member.channels.get(channel.topic) === channel;
}

export class Member {
  readonly channels = new Map<string, Channel>();
  /** Since when more bytes wait than may; undefined while they do not. */
  slowSince: number | undefined;
  isGone = false;
  /** Its credential has ended; it may show another one, and receives nothing until then. */
  isExpired = false;
  /** Reviews of its accounts that hold it: its rights are being read. It can have changed from one account to another. */
  readonly reviews = new Set<object>();
  /** Called when the server disconnects it. */
  onEnd: ((reason: AppError) => void) | undefined;
  /** Runs until the end of the credential. */
  expiry: Timer | undefined;
  /** How much of its rates it has used up. */
  readonly buckets: Record<'joins' | 'messages' | 'presence' | 'refusals', Bucket> = {
    joins: fullBucket,
    messages: fullBucket,
    presence: fullBucket,
    refusals: fullBucket,
  };
  #turn: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  constructor(
    readonly socket: RealtimeSocket,
    public credential: Credential,
    public rights: Rights,
  ) {}

  /** Names it for the shares of the project's rates. */
  get sender(): string {
    return senderOf(this.rights, this.socket.network ?? this.socket.id);
  }

  /** Its account has changed, and its rights are being read; it receives nothing until then. */
  get isUnderReview(): boolean {
    return this.reviews.size > 0;
  }

  /** Whether nothing may be sent to it: what it missed is replayed, as its rights are then. */
  get isHeld(): boolean {
    return this.isExpired || this.isUnderReview;
  }

  /** Disconnects the client. It receives nothing after the reason. */
  end(reason: AppError): void {
    if (this.isGone) return;
    this.isGone = true;
    this.expiry?.cancel();
    this.onEnd?.(reason);
    this.socket.close(reason);
  }

  /**
   * Joins, leaves and new tokens of a client are carried out one after the other. Throws RATE_LIMITED while
   * `mostUnfinished` of them are not finished: their frames are kept in memory.
   */
  async inTurn<T>(work: () => Promise<T>, mostUnfinished = Infinity): Promise<T> {
    if (this.#unfinished >= mostUnfinished) {
      throw fail('RATE_LIMITED', {}, { retryAfterSeconds: 1 });
    }
    this.#unfinished += 1;
    const run = this.#turn.then(work, work);
    this.#turn = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#unfinished -= 1;
    }
  }
}
