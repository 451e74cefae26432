// What a channel has missed, on its way to the client before what is new: after a join with a cursor, and when a member
// that was held is released: its credential had ended, or its account is under review. A channel is held by itself while
// one of its tables is locked.
import { AppError, fail } from '#libs/errors';
import { maxReplayedChanges } from '#libs/realtime-core';

import { type Missed, missedFrame } from './change-frames.js';
import type { ChangeRouter } from './change-router.js';
import type { Delivery } from './delivery.js';
import { Frame } from './frame.js';
import type { LiveChanges } from './live-changes.js';
import { LockWaits } from './lock-waits.js';
import { type Channel, isIn, type Member } from './member.js';
import { Places } from './places.js';
import type { HubParts, HubQuestion } from './ports.js';
import { roomOf } from './rooms.js';
import { tablesOf } from './subscriptions.js';
import type { TopicPresence } from './topic-presence.js';

/** Replays of a project that are read at the same time; each may have 16 MB. */
const replaysAtOnce = 2;
/** The pause between two looks at how much a client has read. */
const drainPauseMs = 20;
/** What takes longer than this is given up: other projects wait for its place. */
const maxReadMs = 8_000;
/** Joins of a project that may wait for their replay; more come back later. */
const maxWaiting = 100;
const retryAfterSeconds = 2;

export interface ReplaysParts extends Pick<
  HubParts,
  'clock' | 'decide' | 'onError' | 'replayPlaces'
> {
  readonly changes: LiveChanges;
  readonly delivery: Delivery;
  readonly presence: TopicPresence;
  readonly router: () => ChangeRouter;
  /** Reads the rights of a member again. */
  readonly refreshRights: (member: Member) => Promise<void>;
  readonly endChannel: (channel: Channel, reason: AppError) => void;
}

export class Replays {
  readonly #places = new Places(replaysAtOnce);
  readonly #locks: LockWaits;

  constructor(private readonly parts: ReplaysParts) {
    this.#locks = new LockWaits({
      ...parts,
      release: (channel, hasEnded) => void this.#release(channel, { isLost: !hasEnded }),
    });
  }

  /**
   * Returns what a channel that joins has missed since a cursor; undefined if that is not known any more. Throws
   * REPLAYS_BUSY, and CHANNEL_CLOSED for a channel that has ended while it waited.
   */
  async missedBefore(channel: Channel, since: string): Promise<Missed | undefined> {
    // Many clients come back at the same time: one of them finds that a table is locked.
    const question = this.#locks.questionFor(channel);
    if (question) return { kind: 'locked', question };
    if (this.#places.waiting >= maxWaiting) throw fail('REPLAYS_BUSY', {}, { retryAfterSeconds });
    return this.#missed(channel, since, { comesFirst: false });
  }

  /** Ends the waiting of a channel that has ended. */
  cancel(channel: Channel): void {
    const reason = fail('CHANNEL_CLOSED', { topic: channel.topic });
    this.#places.cancel(channel, reason);
    this.parts.replayPlaces.cancel(channel, reason);
  }

  /**
   * The places of the project come first, so that one project does not fill the queue of the process. A replay that takes
   * too long leaves the place of the process to others, and keeps that of the project until it has really ended.
   */
  #missed(
    channel: Channel,
    since: string,
    { comesFirst }: { readonly comesFirst: boolean },
  ): Promise<Missed | undefined> {
    const { replayPlaces } = this.parts;
    const { member } = channel;
    const turn = { user: member.rights.userId ?? member, owner: channel, comesFirst };
    return new Promise((resolve, reject) => {
      const work = async (): Promise<void> => {
        let reading: Promise<Missed | undefined> | undefined;
        const start = async (): Promise<void> => {
          if (!isIn(channel)) throw fail('CHANNEL_CLOSED', { topic: channel.topic });
          reading = this.#read(channel, since);
          resolve(await this.#inTime(reading));
        };
        // Each project waits here with a few calls at most, so that the order is fair.
        await replayPlaces.run(start, { owner: channel });
        await reading;
      };
      this.#places.run(work, turn).catch(reject);
    });
  }

  /** Resolves with what is read; undefined if that takes too long. */
  async #inTime<T>(reading: Promise<T>): Promise<T | undefined> {
    let giveUp: (() => void) | undefined;
    const tooLong = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)));
    const timer = this.parts.clock.setTimer(maxReadMs, () => giveUp?.());
    try {
      return await Promise.race([reading, tooLong]);
    } finally {
      timer.cancel();
    }
  }

  async #read(channel: Channel, since: string): Promise<Missed | undefined> {
    const { changes, router, refreshRights } = this.parts;
    const { member } = channel;
    const replay = await changes.replay(since, tablesOf(channel), maxReplayedChanges);
    if (replay.kind === 'lost') return undefined;
    const { cursor } = replay;
    const lines = replay.lines.filter((line) => line.kind !== 'A' && line.kind !== 'B');
    // The lines may be from after a change of the account that the feed has not read yet.
    if (lines.length > 0) await refreshRights(member);
    if (!isIn(channel)) throw fail('CHANNEL_CLOSED', { topic: channel.topic });
    if (member.isExpired) return undefined;
    return router().framesFor(channel, lines, cursor);
  }

  /**
   * Sends what was missed, what has come meanwhile, and from then on everything; no faster than the client reads. Ends
   * without effect when the channel is held.
   */
  async #flush(channel: Channel, missed: readonly Frame[]): Promise<void> {
    const { member, waiting } = channel;
    if (!waiting) return;
    const isCurrent = (): boolean => channel.isJoined && channel.waiting === waiting;
    for (const frame of inOrder(missed, waiting)) {
      await this.#drained(member);
      if (!isCurrent()) return;
      this.parts.delivery.send(member, frame);
    }
    if (isCurrent()) channel.waiting = undefined;
  }

  /** Sends a frame and those that come after it no faster than the client reads. */
  sendAsRead(channel: Channel, first: Frame): void {
    channel.cursor = this.parts.changes.cursor ?? channel.cursor;
    channel.waiting = [first];
    void this.#flush(channel, []);
  }

  async #missedSince(channel: Channel, since: string): Promise<Missed | undefined> {
    if (channel.bound.length === 0) return { kind: 'frames', cursor: since, frames: [] };
    return this.#missed(channel, since, { comesFirst: true });
  }

  async #drained(member: Member): Promise<void> {
    const { clock, delivery } = this.parts;
    while (!delivery.hasRoom(member)) {
      await new Promise<void>((resolve) => void clock.setTimer(drainPauseMs, resolve));
    }
  }

  /** Notes where the channels of a member are, to which nothing more is sent. */
  hold(member: Member): void {
    for (const channel of member.channels.values()) this.#hold(channel);
  }

  #hold(channel: Channel): void {
    // The client knows nothing of frames that still wait for the acknowledgement of its join.
    const place = channel.waiting ? channel.cursor : this.parts.changes.cursor;
    channel.heldAt ??= place ?? channel.cursor;
    // What waits was decided by earlier rights. Without it, a replay that runs ends without effect.
    if (channel.waiting) channel.waiting = [];
  }

  /** Has a channel go on with a replay of everything that has not been delivered completely. */
  again(channel: Channel): void {
    this.#hold(channel);
    void this.#release(channel);
  }

  /** The same after a lock on a table, which keeps a question from its answer. If it lasts too long, there is no replay. */
  againUnlocked(channel: Channel, question: HubQuestion): void {
    this.#hold(channel);
    this.#locks.add(channel, question);
  }

  /** Goes on with the channels of a member that is not held any more, as its rights are now. */
  async release(member: Member): Promise<void> {
    if (member.isHeld) return;
    await Promise.all([...member.channels.values()].map((channel) => this.#release(channel)));
  }

  /** After the acknowledgement of a join: sends what was missed, or goes on if the channel was held meanwhile. */
  begin(channel: Channel, missed: Missed | undefined): void {
    channel.isAcknowledged = true;
    if (missed?.kind === 'locked') this.againUnlocked(channel, missed.question);
    else if (channel.heldAt === undefined) void this.#flush(channel, missed?.frames ?? []);
    else void this.#release(channel);
  }

  /** `isLost`: what was missed is not replayed. */
  async #release(channel: Channel, { isLost = false } = {}): Promise<void> {
    const { endChannel, onError } = this.parts;
    try {
      await this.#goOn(channel, isLost);
    } catch (error) {
      if (!(error instanceof AppError)) onError(error, 'go on with a channel');
      endChannel(channel, error instanceof AppError ? error : fail('INTERNAL_ERROR'));
    }
  }

  async #goOn(channel: Channel, isLost: boolean): Promise<void> {
    const { delivery, presence } = this.parts;
    const { heldAt, member, topic } = channel;
    if (heldAt === undefined || member.isHeld || !channel.isAcknowledged) return;
    const waiting: Frame[] = [];
    channel.cursor = heldAt;
    channel.heldAt = undefined;
    channel.waiting = waiting;
    const missed = isLost ? undefined : await this.#missedSince(channel, heldAt);
    // It may have ended meanwhile, or have been held again.
    if (!channel.isJoined || channel.waiting !== waiting) return;
    if (missed?.kind === 'locked') {
      this.againUnlocked(channel, missed.question);
      return;
    }
    this.#locks.forget(channel);
    await this.#flush(channel, missed?.frames ?? []);
    if (!channel.isJoined || channel.waiting) return;
    if (!missed) delivery.send(member, missedFrame(topic));
    if (!channel.rights.mayReceive.presence) return;
    const state = presence.stateOf(roomOf(channel)) ?? {};
    delivery.send(member, Frame.of('rt:presence', { t: topic, state }));
  }
}

/** The frames of a replay, and those that wait behind them, which may grow meanwhile. */
function* inOrder(missed: readonly Frame[], waiting: Frame[]): Generator<Frame> {
  yield* missed;
  for (let next = waiting.shift(); next; next = waiting.shift()) yield next;
}
