// What the feed delivers, on its way to sockets: changes of accounts change rights, messages of SQL go to their rooms, and
// changes of rows to the channels that may see them. All in the order in which it was committed, as far as it matters:
// a caller that has lost a right sees nothing that was committed after.
import { type AppError, fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import type { FeedListener } from '../feed/feed.js';
import type { AccountChange, Change, Line, Message as SqlMessage } from '../feed/lines.js';
import { feedWaitsMs } from './account-reviews.js';
import { ChangeFrames, type Missed, missedFrame } from './change-frames.js';
import type { Delivery } from './delivery.js';
import type { Frame } from './frame.js';
import { groupBy } from './group-by.js';
import type { Inspection } from './inspection.js';
import type { Lag } from './lag.js';
import type { Heartbeat } from './heartbeat.js';
import { type Channel, isIn } from './member.js';
import type { Messages } from './messages.js';
import type { AskedBinding, BoundTable, HubParts, HubQuestion, Ruling } from './ports.js';
import { type Rights, seeTheSame } from './rights.js';
import type { RightsWatch } from './rights-watch.js';
import type { Subscriptions } from './subscriptions.js';

/** Frames of a channel that may wait for the acknowledgement of its join or for its client to read. */
const maxWaiting = 1_000;
const maxWaitingCharacters = 16 * 1024 * 1024;
/** The most evaluations of a batch for members whose rights change meanwhile; then a replay takes their place. */
const maxRounds = 2;
/** Changes of one batch that administrators are reported. */
const maxReported = 100;

export interface ChangeRouterParts extends Pick<HubParts, 'decide' | 'clock'> {
  readonly delivery: Delivery;
  readonly subscriptions: Subscriptions;
  readonly messages: Messages;
  readonly rights: RightsWatch;
  readonly heartbeat: Heartbeat;
  readonly inspection: Inspection;
  readonly lag: Lag;
  readonly cursorAt: (position: string) => Promise<string>;
  readonly endChannel: (channel: Channel, reason: AppError) => void;
  /** Ends the bindings of a channel to a table. */
  readonly endBindings: (channel: Channel, table: number, reason: AppError) => void;
  /** Has a channel go on with a replay from before the batch that is being delivered. */
  readonly replay: (channel: Channel) => void;
  /** The same when the lock on a table has ended, which keeps a question from its answer. */
  readonly replayUnlocked: (channel: Channel, question: HubQuestion) => void;
  /** Sends frames no faster than the client reads. */
  readonly sendAsRead: (channel: Channel, first: Frame) => void;
}

export class ChangeRouter implements FeedListener {
  #routed = 0;
  /** The lines of an interrupted delivery that have taken effect: they come again. */
  readonly #done = new Set<string>();

  constructor(private readonly parts: ChangeRouterParts) {}

  /** Changes of rows that were routed, with listeners or without. */
  get routed(): number {
    return this.#routed;
  }

  async lines(lines: readonly Line[], position: string): Promise<void> {
    const { messages, rights, cursorAt, clock } = this.parts;
    let changes: Change[] = [];
    let waitsUntil: number | undefined;
    for (const line of lines) {
      if (this.#done.has(line.seq)) continue;
      if (line.kind === 'A') {
        await this.#deliver(changes, undefined);
        changes = [];
        waitsUntil ??= clock.now() + feedWaitsMs;
        await rights.accountChanged(line.userId, waitsUntil);
        this.#done.add(line.seq);
      } else if (line.kind === 'B') {
        this.#done.add(line.seq);
        const message = readMessage(line);
        // Every process reads it by itself.
        if (message) messages.passHere(message);
      } else changes.push(line);
    }
    await this.#deliver(changes, await cursorAt(position));
    this.#done.clear();
  }

  /** A caller may then see changes that were committed before it gained a right, as in a replay. */
  async accountsChanged(changes: readonly AccountChange[]): Promise<void> {
    const { rights, clock } = this.parts;
    const waitsUntil = clock.now() + feedWaitsMs;
    for (const { seq, userId } of changes) {
      if (!this.#done.has(seq)) await rights.accountChanged(userId, waitsUntil);
    }
  }

  reached(): void {
    this.parts.lag.reached();
    this.parts.heartbeat.reached();
  }

  /** Informs every channel with bindings that it may have missed changes. */
  gap(): void {
    const { subscriptions, delivery } = this.parts;
    for (const { member, topic } of subscriptions.all()) delivery.send(member, missedFrame(topic));
  }

  /**
   * The frames with changes for one channel, for example those that it has missed; undefined if the rights of its member
   * do not stay the same, if a policy raises an error on a change, and if a table is gone. Throws the errors of filters.
   */
  async framesFor(
    channel: Channel,
    changes: readonly Change[],
    cursor: string,
  ): Promise<Missed | undefined> {
    const wanted = changes.filter(({ table }) => channel.bound.some((one) => one.table === table));
    for (let round = 0; round < maxRounds; round += 1) {
      const { rights } = channel.member;
      const rulings = await this.#decide(wanted, () => [channel]);
      if (!seeTheSame(channel.member.rights, rights)) continue;
      const error = rulings.filterErrorOf(channel);
      if (error) throw error;
      if (rulings.policyErrorsOf(channel).size > 0) return undefined;
      const question = rulings.lockedFor(channel);
      if (question) return { kind: 'locked', question };
      if (rulings.hasGapFor(channel)) return undefined;
      const frames = new ChangeFrames(wanted, rulings.of, cursor).for(channel);
      return { kind: 'frames', cursor, frames };
    }
    return undefined;
  }

  async #deliver(changes: readonly Change[], cursor: string | undefined): Promise<void> {
    const { subscriptions } = this.parts;
    const wanted = changes.filter(({ table }) => subscriptions.to(table) !== undefined);
    const tables = new Set(wanted.map(({ table }) => table));
    let channels: ReadonlySet<Channel> = new Set(
      [...tables].flatMap((table) => [...(subscriptions.to(table) ?? [])]),
    );
    // If the rights of members have changed during the evaluation, their channels are evaluated again.
    for (let round = 0; round < maxRounds && channels.size > 0; round += 1) {
      channels = await this.#deliverTo(channels, wanted, cursor);
    }
    for (const channel of channels) this.parts.replay(channel);
    this.#routed += changes.length;
    this.parts.lag.sent(changes);
    for (const { seq } of changes) this.#done.add(seq);
  }

  /** Returns the channels that have received nothing, because the rights of their members are others now. */
  async #deliverTo(
    channels: ReadonlySet<Channel>,
    changes: readonly Change[],
    cursor: string | undefined,
  ): Promise<ReadonlySet<Channel>> {
    const { subscriptions } = this.parts;
    const rightsOf = new Map([...channels].map((channel) => [channel, channel.member.rights]));
    // While a channel is held everything is left to the replay at the end of that.
    const rulings = await this.#decide(changes, (table) =>
      [...(subscriptions.to(table) ?? [])].filter(
        (channel) => channels.has(channel) && channel.heldAt === undefined,
      ),
    );
    const frames = new ChangeFrames(changes, rulings.of, cursor);
    const changed = new Set<Channel>();
    for (const channel of channels) {
      if (!isIn(channel) || channel.heldAt !== undefined) continue;
      const before = rightsOf.get(channel);
      const locked = rulings.lockedFor(channel);
      if (!before || !seeTheSame(before, channel.member.rights)) changed.add(channel);
      else if (locked) this.parts.replayUnlocked(channel, locked);
      else this.#deliverOne(channel, rulings, frames);
    }
    this.#report(channels, changes, frames);
    return changed;
  }

  /** For administrators who look on, who may not see all of many changes. */
  #report(channels: ReadonlySet<Channel>, changes: readonly Change[], frames: ChangeFrames): void {
    const { inspection } = this.parts;
    if (!inspection.isWatched) return;
    const reported = changes.slice(0, maxReported);
    for (const change of reported) {
      const event = frames.report(change, channels);
      if (event) inspection.note(() => event);
    }
    const events = changes.length - reported.length;
    if (events > 0) inspection.note(() => ({ kind: 'omitted', events }));
  }

  #deliverOne(channel: Channel, rulings: Rulings, frames: ChangeFrames): void {
    const { endBindings, endChannel } = this.parts;
    for (const [table, error] of rulings.policyErrorsOf(channel)) {
      // What waits for the client is left out if the channel is held, and the reason has to arrive.
      if (channel.waiting) {
        endChannel(channel, error);
        return;
      }
      endBindings(channel, table, error);
    }
    const error = rulings.filterErrorOf(channel);
    if (error) {
      endChannel(channel, error);
      return;
    }
    // A cursor after the gap follows the notice of it.
    if (rulings.hasGapFor(channel)) this.#send(channel, missedFrame(channel.topic));
    for (const frame of frames.for(channel)) this.#send(channel, frame);
  }

  #send(channel: Channel, frame: Frame): void {
    const { delivery, endChannel, clock, sendAsRead } = this.parts;
    const { waiting, member } = channel;
    channel.cursorAt = clock.now();
    if (!waiting) {
      if (!delivery.sendIfRead(member, frame)) sendAsRead(channel, frame);
    } else if (mayWait(frame, waiting)) waiting.push(frame);
    else endChannel(channel, fail('CHANGES_MISSED'));
  }

  /** Asks what the channels of each table may see of its changes. */
  async #decide(
    changes: readonly Change[],
    channelsOf: (table: number) => Iterable<Channel>,
  ): Promise<Rulings> {
    const rulings = new Rulings();
    const byTable = groupBy(changes, ({ table }) => table);
    const questions = [...byTable].flatMap(([table, ofTable]): readonly HubQuestion[] => {
      const channels = [...channelsOf(table)];
      const byRole = groupBy(channels, ({ member }) => member.rights.role);
      return [...byRole].map(([role, ofRole]) => ({
        table,
        role,
        changes: ofTable,
        audiences: audiencesOf(ofRole),
        bindings: bindingsOf(ofRole, table),
      }));
    });
    await Promise.all(
      questions.map(async (question) => {
        rulings.add(question, await this.parts.decide(question));
      }),
    );
    return rulings;
  }
}

/** The rulings of a batch. */
class Rulings {
  readonly #byKey = new Map<string, Ruling>();
  readonly #locked = new Map<string, HubQuestion>();

  readonly of = ({ member }: Channel, { table }: Change): Ruling | undefined =>
    this.#byKey.get(`${table} ${member.rights.role}`);

  add(question: HubQuestion, ruling: Ruling): void {
    const key = `${question.table} ${question.role}`;
    this.#byKey.set(key, ruling);
    if (ruling.isLocked) this.#locked.set(key, question);
  }

  /** A question about a table of the channel that has no answer because of a lock. */
  lockedFor({ bound, member: { rights } }: Channel): HubQuestion | undefined {
    for (const { table } of this.#locked.size === 0 ? [] : bound) {
      const question = this.#locked.get(`${table} ${rights.role}`);
      if (question) return question;
    }
    return undefined;
  }

  /** Whether a channel misses changes of one of its tables, as all channels of the table do. */
  hasGapFor({ bound, member: { rights } }: Channel): boolean {
    return bound.some(({ table }) => this.#byKey.get(`${table} ${rights.role}`)?.hasGap);
  }

  /** Why a channel can receive nothing of some tables, by their numbers. */
  policyErrorsOf({ bound, member: { rights } }: Channel): ReadonlyMap<number, AppError> {
    const errors = new Map<number, AppError>();
    for (const { table } of bound) {
      const error = this.#byKey.get(`${table} ${rights.role}`)?.errorOf(rights.audience);
      if (error) errors.set(table, error);
    }
    return errors;
  }

  /** Why a channel can receive nothing at all. */
  filterErrorOf({ bound, member: { rights } }: Channel): AppError | undefined {
    for (const { id, table } of bound) {
      const ruling = this.#byKey.get(`${table} ${rights.role}`);
      const error = ruling?.filterErrorOf(id, rights.audience);
      if (error) return error;
    }
    return undefined;
  }
}

function audiencesOf(channels: readonly Channel[]): readonly Rights[] {
  return [...new Map(channels.map(({ member: { rights } }) => [rights.audience, rights])).values()];
}

function bindingsOf(channels: readonly Channel[], table: number): readonly AskedBinding[] {
  const asked = new Map<string, BoundTable & { readonly audiences: Set<string> }>();
  for (const { bound, member } of channels) {
    for (const one of bound) {
      if (one.table !== table) continue;
      const known = asked.get(one.id) ?? { ...one, audiences: new Set() };
      known.audiences.add(member.rights.audience);
      asked.set(one.id, known);
    }
  }
  return [...asked.values()];
}

function mayWait(frame: Frame, waiting: readonly Frame[]): boolean {
  const characters = waiting.reduce((sum, { json }) => sum + json.length, frame.json.length);
  return waiting.length < maxWaiting && characters <= maxWaitingCharacters;
}

/** Undefined for a line that is not what `realtime.send` writes. */
function readMessage({ text }: SqlMessage) {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) return undefined;
  const { topic, event, private: isPrivate } = value;
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined;
  return { topic, event, payload: payloadIn(text), isPrivate: isPrivate === true };
}

/**
 * The payload as PostgreSQL wrote it, with all digits of its numbers. `json_build_object` in `realtime.send` has these
 * separators, and no text before or after the payload can contain them: quotes in a text are escaped.
 */
function payloadIn(text: string): string {
  const name = ', "payload" : ';
  return text.slice(text.indexOf(name) + name.length, text.lastIndexOf(', "private" : '));
}
