// The sockets of one project in this process: who is connected, what each has joined, and what each receives.
import { type AppError, fail } from '#libs/errors';
import type { Credential } from '#libs/wire';

import { ChangeRouter } from './change-router.js';
import { ClientFrames } from './client-frames.js';
import { Delivery } from './delivery.js';
import { Joins } from './joins.js';
import { LiveChanges } from './live-changes.js';
import { type Channel, Member } from './member.js';
import { type Message, Messages, requireSize } from './messages.js';
import type { HubParts, RealtimeSocket } from './ports.js';
import { Heartbeat } from './heartbeat.js';
import { Inspection } from './inspection.js';
import { Lag } from './lag.js';
import { Replays } from './replays.js';
import { unknownRights } from './rights.js';
import { RightsWatch } from './rights-watch.js';
import { Reviews } from './reviews.js';
import { SchemaWatch } from './schema-watch.js';
import { type JoinedRoom, Rooms } from './rooms.js';
import { Subscriptions } from './subscriptions.js';
import { TopicRightsWatch } from './topic-rights-watch.js';
import { TopicPresence } from './topic-presence.js';
import { waitAtMost } from './wait-at-most.js';

/** How long the acknowledgement of a request waits for the sockets of this process. */
const settleMs = 1_000;

/** Figures of a project in this process. */
export interface HubStats {
  readonly connections: number;
  readonly channels: number;
  readonly rooms: number;
  /** Messages, changes of rows and frames since the hub was opened. */
  readonly messages: number;
  readonly changes: number;
  readonly framesSent: number;
  readonly framesDropped: number;
  /** How far clients are behind the database, in milliseconds. */
  readonly lagMs: number;
}

export class Hub {
  /** What happens, for administrators who look on. */
  readonly inspection: Inspection;
  /** What clients send. */
  readonly frames: ClientFrames;
  readonly #parts: HubParts;
  readonly #members = new Map<string, Member>();
  readonly #delivery: Delivery;
  readonly #rooms: Rooms;
  readonly #messages: Messages;
  readonly #presence: TopicPresence;
  readonly #schema: SchemaWatch;
  readonly #rights: RightsWatch;
  readonly #topicRights: TopicRightsWatch;
  readonly #router: ChangeRouter;
  readonly #lag: Lag;
  readonly #changes: LiveChanges;
  readonly #joins: Joins;
  /** The opening of the feed for the first member. */
  #beginning: Promise<void> = Promise.resolve();
  #ending: AppError | undefined;

  constructor(parts: HubParts) {
    const { exchange, clock, onError } = parts;
    const inspection = new Inspection(parts.now);
    this.inspection = inspection;
    this.#lag = new Lag(parts);
    const delivery = new Delivery(() => clock.now());
    const rooms = new Rooms(delivery);
    const subscriptions = new Subscriptions();
    const messages = new Messages({ rooms, exchange, clock, inspection });
    const presence = new TopicPresence({ rooms, exchange, clock, inspection });
    const changes = new LiveChanges(parts.openFeed, {
      lines: (lines, position) => this.#router.lines(lines, position),
      accountsChanged: (changes) => this.#router.accountsChanged(changes),
      reached: () => this.#router.reached(),
      gap: () => this.#router.gap(),
    });
    const schema: SchemaWatch = new SchemaWatch({
      ...parts,
      onSchemaChange: () => reviews.reviewAll(this.#members.values()),
    });
    const topicRights = new TopicRightsWatch({
      clock,
      channels: () => this.#privateChannels(),
      review: (channels) => reviews.reviewTopics(channels),
      onError,
    });
    const joins: Joins = new Joins({
      ...parts,
      changes,
      delivery,
      rooms,
      subscriptions,
      messages,
      presence,
      schema,
      inspection,
      topicRights,
      replays: () => replays,
    });
    const reviews: Reviews = new Reviews({
      ...parts,
      delivery,
      schema,
      subscriptions,
      listen: (channel) => joins.listen(channel),
      untrack: (channel) => joins.untrack(channel),
      refuse: (channel, reason) => joins.refuse(channel, reason),
    });
    const replays = new Replays({
      ...parts,
      changes,
      delivery,
      presence,
      router: () => this.#router,
      refreshRights: (member) => rights.refresh(member),
      endChannel: (channel, reason) => joins.refuse(channel, reason),
    });
    const rights: RightsWatch = new RightsWatch({
      callers: parts.callers,
      clock,
      now: parts.now,
      delivery,
      onChange: (members) => reviews.review(members),
      hold: (member) => replays.hold(member),
      release: (member) => replays.release(member),
      onError,
    });
    this.#router = new ChangeRouter({
      ...parts,
      delivery,
      subscriptions,
      messages,
      rights,
      inspection,
      lag: this.#lag,
      heartbeat: new Heartbeat({ clock, subscriptions, delivery, cursor: () => changes.cursor }),
      cursorAt: (position) => changes.cursorAt(position),
      endChannel: (channel, reason) => joins.refuse(channel, reason),
      endBindings: (channel, table, reason) => joins.endBindings(channel, table, reason),
      replay: (channel) => replays.again(channel),
      replayUnlocked: (channel, question) => replays.againUnlocked(channel, question),
      sendAsRead: (channel, first) => replays.sendAsRead(channel, first),
    });
    this.#parts = parts;
    this.frames = new ClientFrames({ ...parts, joins, messages, presence, rights });
    this.#delivery = delivery;
    this.#rooms = rooms;
    this.#messages = messages;
    this.#presence = presence;
    this.#changes = changes;
    this.#joins = joins;
    this.#schema = schema;
    this.#rights = rights;
    this.#topicRights = topicRights;
  }

  /** Enters a socket. Throws TOO_MANY_CONNECTIONS, SESSION_ENDED, USER_INACTIVE, and why the hub has ended. */
  async connect(socket: RealtimeSocket, credential: Credential): Promise<Member> {
    if (this.#ending) throw this.#ending;
    const limit = this.#parts.limits().maxConnections;
    if (this.#members.size >= limit) throw fail('TOO_MANY_CONNECTIONS', { limit });
    // It has its place before anything waits.
    const member = new Member(socket, credential, unknownRights);
    this.#members.set(socket.id, member);
    member.onEnd = (reason) => this.inspection.noteEnd(member, reason);
    try {
      // Changes of accounts arrive before rights are read.
      if (this.#members.size === 1) {
        this.#lag.reached();
        this.#beginning = this.#changes.begin();
      }
      await this.#beginning;
      await this.#rights.read(credential, (rights) => {
        if (rights === undefined) throw fail('SESSION_ENDED');
        member.rights = rights;
        this.#rights.add(member);
      });
      if (this.#ending) throw this.#ending;
      return member;
    } catch (error) {
      this.disconnect(member);
      throw error;
    }
  }

  /** Takes a socket out that has ended. */
  disconnect(member: Member): void {
    if (!this.#members.delete(member.socket.id)) return;
    member.isGone = true;
    this.#rights.remove(member);
    for (const channel of member.channels.values()) this.#joins.end(channel);
    if (this.#members.size === 0) this.#changes.end();
  }

  /** Milliseconds until a sender has deliveries left in this process; 0 if it has some. */
  deliveryWaitMs(sender: string): number {
    return this.#messages.waitMs(sender);
  }

  /** Passes on a message that did not come from a socket of this process. Its sender may send it. */
  broadcast(message: Message, sender: string): void {
    requireSize(message, this.#parts.limits().maxFrameBytes);
    this.#messages.pass(message, { sender });
  }

  /** Disconnects everybody, e.g. because the project is paused. No client connects afterwards. */
  async close(reason: AppError): Promise<void> {
    this.#ending = reason;
    for (const member of this.#members.values()) {
      member.end(reason);
      this.disconnect(member);
    }
    this.#topicRights.close();
    this.#messages.close();
    this.#presence.close();
    this.inspection.close();
    await this.#changes.close();
  }

  /** Disconnects some members, e.g. because the project's keys have been replaced. */
  disconnectWhere(
    isMeant: (member: Pick<Member, 'credential' | 'socket'>) => boolean,
    reason: AppError,
  ): void {
    for (const member of this.#members.values()) if (isMeant(member)) member.end(reason);
  }

  /** Looks for changes at once: something has committed. */
  wake(): void {
    this.#changes.wake();
  }

  /**
   * Looks for changes of accounts or of the schema at once: a request has committed some. Resolves when they hold for all
   * members, so that the request can be acknowledged, or after a second.
   */
  async settle(changed: 'accounts' | 'schema'): Promise<void> {
    if (this.#members.size === 0) return;
    const effect = changed === 'accounts' ? this.#changes.caughtUp() : this.#schema.wake();
    const settled = effect.catch(() => undefined);
    await waitAtMost(this.#parts.clock, settleMs, settled);
  }

  stats(): HubStats {
    const { sent, dropped } = this.#delivery;
    return {
      connections: this.#members.size,
      channels: [...this.#members.values()].reduce((sum, { channels }) => sum + channels.size, 0),
      rooms: this.#rooms.size,
      messages: this.#messages.passed,
      framesSent: sent,
      framesDropped: dropped,
      changes: this.#router.routed,
      lagMs: this.#members.size === 0 ? 0 : this.#lag.read(),
    };
  }

  /** The rooms of this process by topic; of one name, the public one comes first. */
  listRooms(): readonly JoinedRoom[] {
    return this.#rooms.list();
  }

  #privateChannels(): readonly Channel[] {
    const channels = [...this.#members.values()].flatMap((member) => [...member.channels.values()]);
    return channels.filter(({ config }) => config.isPrivate);
  }
}
