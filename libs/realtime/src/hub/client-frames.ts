// Carries out the frames of clients, which arrive parsed.
import { fail } from '#libs/errors';
import {
  type ClientEvent,
  type ClientFrame,
  type JoinedAck,
  type OkAck,
  presencePayload,
} from '#libs/realtime-core';
import type { Credential } from '#libs/wire';

import { FrameLimits } from './frame-limits.js';
import type { Joins } from './joins.js';
import type { Channel, Member } from './member.js';
import { type Messages, requireSize } from './messages.js';
import type { HubParts } from './ports.js';
import { sendingRefusal } from './rights.js';
import type { RightsWatch } from './rights-watch.js';
import { roomOf } from './rooms.js';
import type { TopicPresence } from './topic-presence.js';

type FrameOf<Kind extends ClientFrame['kind']> = Extract<ClientFrame, { readonly kind: Kind }>;

/** Joins and leaves of a client that may wait, unless the setting for joins at once allows more. */
const fewestTurns = 8;

/** What a connection tracks in all its channels, as JSON. */
const maxPresentBytes = 262_144;
const inAllChannels = `A connection tracks at most ${maxPresentBytes} bytes in all its channels: untrack in another one, or track less.`;

const ok: OkAck = { status: 'ok' };

export interface ClientFramesParts extends Pick<HubParts, 'clock' | 'limits' | 'newRef'> {
  readonly joins: Joins;
  readonly messages: Messages;
  readonly presence: TopicPresence;
  readonly rights: RightsWatch;
}

export class ClientFrames {
  readonly #limits: FrameLimits;

  constructor(private readonly parts: ClientFramesParts) {
    this.#limits = new FrameLimits(parts);
  }

  /**
   * Counts a frame against the limits of its sender and of the project. Throws RATE_LIMITED, SESSION_ENDED for a member
   * that is being disconnected, and TOKEN_EXPIRED for a member that has to show another token first.
   */
  count(member: Member, event: ClientEvent): void {
    this.#limits.count(member, event);
  }

  /** Joins a topic, or replaces what the channel asks for. Throws RATE_LIMITED and the errors of {@link Joins.join}. */
  join(member: Member, frame: FrameOf<'join'>): Promise<JoinedAck> {
    return member.inTurn(async () => {
      if (frame.config.isPrivate) await this.parts.rights.settled(member);
      return this.parts.joins.join(member, frame);
    }, this.#mostTurns);
  }

  /** Is never refused: the client forgets the channel, so the server must. */
  leave(member: Member, topic: string): Promise<OkAck> {
    return member.inTurn(async () => {
      const channel = member.channels.get(topic);
      if (channel) this.parts.joins.end(channel);
      return ok;
    });
  }

  /** Throws NOT_JOINED, CHANNEL_REFUSED, POLICY_READS_MESSAGE, FRAME_TOO_LARGE, RATE_LIMITED. */
  async send(member: Member, { topic, event, payload }: FrameOf<'send'>): Promise<OkAck> {
    const channel = await this.#channelOf(member, topic);
    const refusal = sendingRefusal(channel.rights, 'broadcast', topic);
    if (refusal) throw refusal;
    const message = { ...roomOf(channel), event, payload: JSON.stringify(payload) };
    requireSize(message, this.parts.limits().maxFrameBytes);
    const { sender } = member;
    const waitMs = this.parts.messages.waitMs(sender);
    if (waitMs > 0) throw fail('RATE_LIMITED', {}, { retryAfterSeconds: waitMs / 1000 });
    const except = channel.config.broadcast.self ? undefined : channel;
    this.parts.messages.pass(message, { except, sender });
    return ok;
  }

  /** As {@link send}, and throws PRESENCE_TOO_LARGE, PRESENCE_FULL, INVALID_FRAME. */
  async track(member: Member, { topic, payload: given }: FrameOf<'track'>): Promise<OkAck> {
    const channel = await this.#channelOf(member, topic);
    const refusal = sendingRefusal(channel.rights, 'presence', topic);
    if (refusal) throw refusal;
    const payload = presencePayload(given, this.parts.limits().presencePayload);
    const presentBytes = Buffer.byteLength(payload);
    if (presentBytesBeside(channel) + presentBytes > maxPresentBytes) {
      throw fail('PRESENCE_FULL', { topic }, { hint: inAllChannels });
    }
    const tracked = { key: channel.presenceKey, ref: this.parts.newRef(), payload };
    this.parts.presence.track(roomOf(channel), member.socket.id, tracked);
    channel.presentBytes = presentBytes;
    return ok;
  }

  async untrack(member: Member, topic: string): Promise<OkAck> {
    const channel = await this.#channelOf(member, topic);
    this.parts.presence.untrack(roomOf(channel), member.socket.id);
    channel.presentBytes = 0;
    return ok;
  }

  /** Goes on with another credential. Throws SESSION_ENDED, USER_INACTIVE, RATE_LIMITED. */
  renew(member: Member, credential: Credential): Promise<OkAck> {
    return member.inTurn(async () => {
      await this.parts.rights.renew(member, credential);
      return ok;
    }, 2 * this.#mostTurns);
  }

  /**
   * Returns the channel of a topic; a private one when its rights are those after the last change of the account. Throws
   * NOT_JOINED.
   */
  async #channelOf(member: Member, topic: string): Promise<Channel> {
    const channel = joinedChannel(member, topic);
    if (!channel.config.isPrivate) return channel;
    await this.parts.rights.settled(member);
    return joinedChannel(member, topic);
  }

  /** A client may join all its channels again at once. */
  get #mostTurns(): number {
    return Math.max(fewestTurns, this.parts.limits().joins.burst);
  }
}

/** Throws NOT_JOINED. */
function joinedChannel({ channels }: Member, topic: string): Channel {
  const channel = channels.get(topic);
  if (!channel?.isJoined) throw fail('NOT_JOINED', { topic });
  return channel;
}

/** What the client tracks in its other channels. */
function presentBytesBeside(channel: Channel): number {
  const others = [...channel.member.channels.values()].filter((one) => one !== channel);
  return others.reduce((sum, { presentBytes }) => sum + presentBytes, 0);
}
