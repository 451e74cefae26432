// Reads again what channels are allowed: after the rights of a member or the schema have changed, and for private topics
// from time to time. A channel that is not allowed any more ends.
import { AppError, fail } from '#libs/errors';

import { missedFrame } from './change-frames.js';
import type { Delivery } from './delivery.js';
import { groupBy } from './group-by.js';
import { type Channel, isIn, type Member } from './member.js';
import {
  dependsOnSchema,
  type Permit,
  permitted,
  permitKey,
  type PermitParts,
  readPermit,
  SharedPermits,
  type Wish,
} from './permits.js';
import { Places } from './places.js';
import type { BoundTable, HubParts } from './ports.js';
import { seeTheSame, type TopicRights } from './rights.js';
import type { SchemaWatch } from './schema-watch.js';
import { boundKeyOf, type Subscriptions } from './subscriptions.js';

/** Channels of a project that are reviewed at the same time after a change, and of the rest that are reviewed by time. */
const reviewsAtOnce = 8;
const timedReviewsAtOnce = 2;
/** While the database does not answer, rights of private topics are trusted for this long after they were read. */
const trustedMs = 90_000;

export interface ReviewsParts extends PermitParts, Pick<HubParts, 'clock' | 'onError'> {
  readonly delivery: Delivery;
  readonly schema: SchemaWatch;
  readonly subscriptions: Subscriptions;
  /** Keeps the gate open for the tables of a channel. Throws CHANNEL_CLOSED. */
  readonly listen: (channel: Channel) => Promise<unknown>;
  readonly untrack: (channel: Channel) => void;
  /** Ends a channel and sends the client the reason. */
  readonly refuse: (channel: Channel, reason: AppError) => void;
}

export class Reviews {
  readonly #places = new Places(reviewsAtOnce);
  readonly #timedPlaces = new Places(timedReviewsAtOnce);

  constructor(private readonly parts: ReviewsParts) {}

  /** After the rights of members have changed. */
  async review(members: readonly Member[]): Promise<void> {
    await this.#reviewEach(members.flatMap((member) => [...member.channels.values()]));
  }

  /** After the schema has changed. */
  async reviewAll(members: Iterable<Member>): Promise<void> {
    const channels = [...members].flatMap((member) => [...member.channels.values()]);
    await this.#reviewEach(channels.filter(({ config }) => dependsOnSchema(config)));
  }

  /**
   * Reads the rights of private topics again: the rows that their policies read may have changed. Channels of one topic
   * and the same claims are one lookup.
   */
  async reviewTopics(channels: readonly Channel[]): Promise<void> {
    const groups = groupBy(channels, (channel) =>
      permitKey(channel.member.rights, topicAlone(channel)),
    );
    await Promise.all(
      [...groups.values()].map((group) => this.#timedPlaces.run(() => this.#reviewGroup(group))),
    );
  }

  async #reviewGroup(channels: readonly Channel[]): Promise<void> {
    const permits = new SharedPermits(this.parts);
    const current = channels.filter(isIn);
    await Promise.all(current.map((channel) => this.#reviewTopic(channel, permits)));
  }

  async #reviewEach(channels: readonly Channel[]): Promise<void> {
    const permits = new SharedPermits(this.parts);
    await Promise.all(
      channels.map((channel) => this.#places.run(() => this.#reviewOne(channel, permits))),
    );
  }

  async #reviewOne(channel: Channel, permits: SharedPermits): Promise<void> {
    try {
      const permit = await this.#read(channel, permits);
      if (!isIn(channel)) return;
      this.#apply(channel, permit.topicRights);
      await this.#rebind(channel, permit.bound);
    } catch (error) {
      this.#end(channel, error);
    }
  }

  async #reviewTopic(channel: Channel, permits: SharedPermits): Promise<void> {
    const { schema } = this.parts;
    const { changes } = schema;
    const { rights } = channel.member;
    // Otherwise another review follows, with more places.
    const isCurrent = (): boolean =>
      isIn(channel) && schema.changes === changes && seeTheSame(channel.member.rights, rights);
    try {
      const { topicRights } = await permits.read(rights, topicAlone(channel));
      if (isCurrent()) this.#apply(channel, topicRights);
    } catch (error) {
      if (!isCurrent()) return;
      const isTrusted = this.parts.clock.now() - channel.rightsReadAt < trustedMs;
      if (error instanceof AppError && error.status === 503 && isTrusted) return;
      this.#end(channel, error);
    }
  }

  #read(channel: Channel, permits: SharedPermits): Promise<Permit> {
    const { schema } = this.parts;
    const { changes } = schema;
    return permitted(schema, channel.member, (rights) =>
      // Shared permits are those of one version of the schema.
      schema.changes === changes
        ? permits.read(rights, wishOf(channel))
        : readPermit(this.parts, rights, wishOf(channel)),
    );
  }

  #apply(channel: Channel, rights: TopicRights): void {
    channel.rights = rights;
    channel.rightsReadAt = this.parts.clock.now();
    if (!rights.maySend.presence) this.parts.untrack(channel);
  }

  #end(channel: Channel, error: unknown): void {
    if (!(error instanceof AppError)) this.parts.onError(error, 'review a channel');
    this.parts.refuse(channel, error instanceof AppError ? error : fail('INTERNAL_ERROR'));
  }

  /** Follows tables that were made again under the same name. Their changes until now were not sent. */
  async #rebind(channel: Channel, all: readonly BoundTable[]): Promise<void> {
    const { subscriptions, listen } = this.parts;
    const bound = all.filter(({ id }) => !channel.ended.has(id));
    if (bound.every(({ table }, index) => channel.bound[index]?.table === table)) return;
    subscriptions.remove(channel);
    channel.bound = bound;
    channel.boundKey = boundKeyOf(bound);
    subscriptions.add(channel);
    await listen(channel);
    this.#tellMissed(channel);
  }

  #tellMissed({ topic, member, isAcknowledged, waiting }: Channel): void {
    const frame = missedFrame(topic);
    if (isAcknowledged) this.parts.delivery.send(member, frame);
    else waiting?.push(frame);
  }
}

/** A lock on a table holds no review up: the filters were checked by the join. */
function wishOf({ topic, config }: Channel): Wish {
  return { topic, config, areChecked: true };
}

/** What a channel asks for, without its tables. */
function topicAlone({ topic, config }: Channel): Wish {
  return { topic, config: { ...config, bindings: [] } };
}
