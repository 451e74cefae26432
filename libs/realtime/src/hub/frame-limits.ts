// How many frames clients may send: each client, and all of a project in this process together.
import { type AppError, fail } from '#libs/errors';
import { type ClientEvent, fullBucket, type Rate, takeToken } from '#libs/realtime-core';

import type { Member } from './member.js';
import type { HubParts } from './ports.js';
import { SharedRate } from './shared-rate.js';

/** A client may have this many frames refused by limits; a client that goes on is disconnected. */
const refusals: Rate = { perSecond: 50, burst: 1_000 };

/** The limit that counts the frames of an event. */
const rateOf = {
  'rt:join': 'joins',
  'rt:leave': 'messages',
  'rt:send': 'messages',
  'rt:track': 'presence',
  'rt:untrack': 'presence',
  'rt:token': 'messages',
} as const satisfies Record<ClientEvent, keyof Member['buckets']>;

/** What a client needs to stay connected, and what makes less work: others of its project do not keep it from that. */
const ownAlone: ReadonlySet<ClientEvent> = new Set(['rt:token', 'rt:leave']);

export class FrameLimits {
  readonly #ofProject: SharedRate;

  constructor(private readonly parts: Pick<HubParts, 'clock' | 'limits'>) {
    this.#ofProject = new SharedRate(
      () => parts.clock.now(),
      () => parts.limits().projectMessages,
    );
  }

  /** Throws RATE_LIMITED, SESSION_ENDED for a member that is being disconnected, and TOKEN_EXPIRED. */
  count(member: Member, event: ClientEvent): void {
    if (member.isGone) throw fail('SESSION_ENDED');
    if (member.isExpired && event !== 'rt:token') throw fail('TOKEN_EXPIRED');
    const limits = this.parts.limits();
    const kind = rateOf[event];
    try {
      member.buckets[kind] = this.#take(limits[kind], member.buckets[kind]);
    } catch (error) {
      this.#countRefusal(member);
      throw error;
    }
    if (ownAlone.has(event)) return;
    const { sender } = member;
    const waitMs = this.#ofProject.waitMs(sender);
    if (waitMs > 0) throw tooMany(waitMs);
    this.#ofProject.take(1, sender);
  }

  #countRefusal(member: Member): void {
    const taken = takeToken(refusals, member.buckets.refusals, this.parts.clock.now());
    if (taken.ok) member.buckets.refusals = taken.next;
    else member.end(tooMany(taken.retryAfterMs));
  }

  #take(rate: Rate, bucket: typeof fullBucket): typeof fullBucket {
    const taken = takeToken(rate, bucket, this.parts.clock.now());
    if (taken.ok) return taken.next;
    throw tooMany(taken.retryAfterMs);
  }
}

function tooMany(retryAfterMs: number): AppError {
  return fail('RATE_LIMITED', {}, { retryAfterSeconds: retryAfterMs / 1000 });
}
