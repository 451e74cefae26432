// How a client joins and leaves topics, and what happens to its channels when its rights change.
import { AppError, fail } from '#libs/errors';
import { type ClientFrame, type JoinedAck, tooMany } from '#libs/realtime-core';

import type { Delivery } from './delivery.js';
import { FilterLimits } from './filter-limits.js';
import { errorFrame, Frame } from './frame.js';
import type { Listening } from '../feed/feed.js';
import { clientOf, inspectedRoom, type Inspection } from './inspection.js';
import type { Missed } from './change-frames.js';
import type { LiveChanges } from './live-changes.js';
import { type AttemptOptions, LockedJoins } from './locked-joins.js';
import { type Channel, isIn, type Member } from './member.js';
import type { Messages } from './messages.js';
import { dependsOnSchema, type Permit, permitted, readPermit } from './permits.js';
import { Places } from './places.js';
import type { HubParts } from './ports.js';
import type { Replays } from './replays.js';
import { type Room, roomOf, type Rooms } from './rooms.js';
import type { SchemaWatch } from './schema-watch.js';
import { boundKeyOf, type Subscriptions, tablesOf } from './subscriptions.js';
import type { TopicRightsWatch } from './topic-rights-watch.js';
import type { TopicPresence } from './topic-presence.js';

type JoinFrame = Extract<ClientFrame, { readonly kind: 'join' }>;

/** Joins that use the database at the same time, so that a flood of them leaves connections for requests. */
const joinsAtOnce = 4;

export interface JoinsParts extends Pick<
  HubParts,
  'clock' | 'limits' | 'bindTables' | 'readTopicRights' | 'newRef' | 'onError'
> {
  readonly changes: LiveChanges;
  readonly delivery: Delivery;
  readonly rooms: Rooms;
  readonly subscriptions: Subscriptions;
  readonly messages: Messages;
  readonly presence: TopicPresence;
  readonly schema: SchemaWatch;
  readonly inspection: Inspection;
  readonly topicRights: TopicRightsWatch;
  readonly replays: () => Replays;
}

export class Joins {
  readonly #places = new Places(joinsAtOnce);
  readonly #filters = new FilterLimits();
  readonly #locked: LockedJoins<Permit>;

  constructor(private readonly parts: JoinsParts) {
    this.#locked = new LockedJoins(parts.clock);
  }

  /**
   * Joins a topic; a second join replaces the first. Frames of the channel go out after the acknowledgement. Throws
   * TOO_MANY_CHANNELS, TOO_MANY_BINDINGS, CHANNEL_REFUSED, POLICY_READS_MESSAGE, and the errors of tables and filters.
   */
  async join(member: Member, frame: JoinFrame): Promise<JoinedAck> {
    this.#checkNumbers(member, frame);
    const release = this.#filters.reserve(member, frame.topic, frame.config);
    const channel = await this.#enter(member, frame).finally(release);
    try {
      return await this.#open(channel, frame.resume);
    } catch (error) {
      this.#remove(channel);
      throw error;
    }
  }

  async #enter(member: Member, frame: JoinFrame): Promise<Channel> {
    const { schema } = this.parts;
    const { topic, config } = frame;
    // Changes of the schema are noticed before the schema is read.
    const release = dependsOnSchema(config) ? await schema.acquire() : () => undefined;
    try {
      // A filter cannot be checked while its table is locked.
      const permit = await this.#locked.read({
        attempt: (options) => this.#tryPermit(member, frame, options),
        isGone: () => member.isGone,
      });
      if (member.isGone) throw fail('CHANNEL_CLOSED', { topic });
      const before = member.channels.get(topic);
      if (before) this.#remove(before);
      return this.#add(member, frame, { ...permit, release });
    } catch (error) {
      release();
      throw error;
    }
  }

  #tryPermit(
    member: Member,
    frame: JoinFrame,
    { hasPlace, isLocked }: AttemptOptions,
  ): Promise<Permit> {
    const { schema } = this.parts;
    const wish = { ...frame, isLocked };
    const read = () => permitted(schema, member, (rights) => readPermit(this.parts, rights, wish));
    if (hasPlace || !dependsOnSchema(frame.config)) return read();
    return this.#places.run(() => {
      if (member.isGone) throw fail('CHANNEL_CLOSED', { topic: frame.topic });
      return read();
    });
  }

  /** Ends a channel that the client leaves. */
  end(channel: Channel): void {
    this.#remove(channel);
  }

  /** Ends a channel and sends the client the reason. */
  refuse(channel: Channel, reason: AppError): void {
    if (!isIn(channel)) return;
    this.#remove(channel);
    const { topic, member } = channel;
    this.parts.delivery.send(member, errorFrame(reason, topic));
    this.parts.inspection.noteEnd(member, reason, topic);
  }

  /**
   * Ends the bindings of a channel to a table and sends the client the reason; the channel continues without them. The
   * gate stays open for the table until the channel ends.
   */
  endBindings(channel: Channel, table: number, reason: AppError): void {
    const { subscriptions, delivery, inspection } = this.parts;
    const { topic, member } = channel;
    const ids = channel.bound.filter((one) => one.table === table).map(({ id }) => id);
    for (const id of ids) channel.ended.add(id);
    subscriptions.remove(channel);
    channel.bound = channel.bound.filter((one) => one.table !== table);
    channel.boundKey = boundKeyOf(channel.bound);
    subscriptions.add(channel);
    delivery.send(member, errorFrame(reason, topic, [...new Set(ids)]));
    inspection.noteEnd(member, reason, topic);
  }

  untrack(channel: Channel): void {
    channel.presentBytes = 0;
    this.parts.presence.untrack(roomOf(channel), channel.member.socket.id);
  }

  /**
   * Keeps the gate open for the tables of a channel, in the place of those before, unless the channel ends meanwhile or
   * listens once more. Throws CHANNEL_CLOSED.
   */
  async listen(channel: Channel): Promise<Listening & { readonly cursor: string }> {
    const { changes, subscriptions } = this.parts;
    const tables = tablesOf(channel);
    channel.listens += 1;
    const { listens } = channel;
    const listening = await changes.listen(tables, () => {
      if (isIn(channel)) subscriptions.add(channel);
    });
    const isLast = isIn(channel) && channel.listens === listens;
    changes.unlisten(isLast ? channel.listened : tables);
    if (isLast) channel.listened = tables;
    if (isIn(channel)) return listening;
    throw fail('CHANNEL_CLOSED', { topic: channel.topic });
  }

  #checkNumbers(member: Member, { topic, config }: JoinFrame): void {
    const { channels } = member;
    const { maxChannels, maxBindings } = this.parts.limits();
    if (!channels.has(topic) && channels.size >= maxChannels) {
      throw fail('TOO_MANY_CHANNELS', { limit: maxChannels });
    }
    if (config.bindings.length > maxBindings) throw tooMany('A channel', maxBindings, 'entries');
  }

  #add(
    member: Member,
    { topic, config }: JoinFrame,
    { topicRights, bound, release }: Permit & { readonly release: () => void },
  ): Channel {
    const { rooms, messages, presence, newRef } = this.parts;
    const channel: Channel = {
      topic,
      member,
      config,
      presenceKey: config.presenceKey ?? newRef(),
      bound,
      ended: new Set(),
      boundKey: boundKeyOf(bound),
      rights: topicRights,
      rightsReadAt: this.parts.clock.now(),
      listened: [],
      listens: 0,
      releaseSchema: release,
      presentBytes: 0,
      cursor: '',
      cursorAt: 0,
      heldAt: undefined,
      isJoined: false,
      isAcknowledged: false,
      waiting: [],
    };
    member.channels.set(topic, channel);
    this.#filters.add(channel);
    if (config.isPrivate) this.parts.topicRights.start();
    if (rooms.add(channel)) {
      const room = roomOf(channel);
      messages.listen(room);
      presence.open(room);
    }
    return channel;
  }

  #remove(channel: Channel): void {
    const { member, topic } = channel;
    const { rooms, subscriptions, messages, presence, changes } = this.parts;
    if (!isIn(channel)) return;
    member.channels.delete(topic);
    this.#filters.remove(channel);
    channel.isJoined = false;
    channel.releaseSchema();
    this.parts.replays().cancel(channel);
    subscriptions.remove(channel);
    changes.unlisten(channel.listened);
    channel.listened = [];
    const room: Room = roomOf(channel);
    this.untrack(channel);
    if (!rooms.remove(channel)) return;
    messages.unlisten(room);
    presence.shut(room);
  }

  /** Fixes the position from which on nothing is missed, and replays what was missed before. */
  async #open(channel: Channel, resume: string | undefined): Promise<JoinedAck> {
    const { presence, clock } = this.parts;
    const replays = this.parts.replays();
    const listening = await this.listen(channel);
    const missed = resume === undefined ? undefined : await replays.missedBefore(channel, resume);
    if (!isIn(channel)) throw fail('CHANNEL_CLOSED', { topic: channel.topic });
    if (channel.member.isExpired) throw fail('TOKEN_EXPIRED');
    channel.isJoined = true;
    channel.cursor = cursorAfter(missed, resume) ?? listening.cursor;
    channel.cursorAt = clock.now();
    // What was decided while it joined may be for earlier rights: it is replayed.
    const isLocked = missed?.kind === 'locked';
    if (isLocked || channel.heldAt !== undefined || channel.member.isUnderReview) {
      channel.heldAt = resume ?? listening.cursor;
    }
    // The acknowledgement goes out first.
    clock.setTimer(0, () => {
      replays.begin(channel, missed);
      if (listening.isWarming) this.#tellWhenWarm(channel, listening.complete);
    });
    this.parts.inspection.note(() => ({
      kind: 'joined',
      ...inspectedRoom(roomOf(channel)),
      tables: [...new Set(channel.bound.map(({ binding }) => binding.table))],
      ...clientOf(channel.member),
    }));
    const state = channel.rights.mayReceive.presence
      ? presence.stateOf(roomOf(channel))
      : undefined;
    return {
      status: 'ok',
      bindings: channel.bound.map(({ id }) => ({ id })),
      cursor: channel.cursor,
      ...(resume !== undefined && { recovered: missed !== undefined }),
      ...(listening.isWarming && { warming: true }),
      ...(state && { presence: state }),
    };
  }

  #tellWhenWarm(channel: Channel, complete: Promise<void>): void {
    const { delivery, onError } = this.parts;
    complete
      .then(() => {
        if (!channel.isJoined) return;
        const message = 'All changes from now on are sent';
        const frame = { t: channel.topic, status: 'ok', code: 'WARM', message };
        delivery.send(channel.member, Frame.of('rt:system', frame));
      })
      .catch((error: unknown) => onError(error, 'complete a join'));
  }
}

/**
 * Until the frames with what was missed have arrived, the client is where it was: if the connection is lost before them,
 * it comes back with the same cursor.
 */
function cursorAfter(missed: Missed | undefined, resume: string | undefined): string | undefined {
  if (missed?.kind !== 'frames') return missed && resume;
  return missed.frames.length > 0 ? resume : missed.cursor;
}
