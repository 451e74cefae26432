// A rate that the senders of a project share. A sender alone may use all of it. While several send, a part is kept for
// those that have taken less than the others, so that none of them takes everything. A batch that fits the rate, but finds too
// few tokens beside busy senders, gets a turn: until it is sent or the turn expires, others take no more than their shares.
import type { Rate } from '#libs/realtime-core';

import { BatchTurns } from './batch-turns.js';

/** What is kept beyond the burst for senders within their share; a part of the burst. */
const keptPart = 1 / 4;
/** A sender counts for this long after its last message, and until what it took has come back; milliseconds. */
const activeMs = 1_000;
/** How often senders that do not count any more are removed; milliseconds. */
const tidyMs = 250;
/** What was taken beyond the burst delays senders for this long at most; milliseconds. */
const longestDebtMs = 1_000;
/** Shorter waits are rounding errors. */
const toleranceMs = 1e-3;

/** How much was taken and has not come back yet, at a time. */
interface Taken {
  tokens: number;
  atMs: number;
}

interface Sender extends Taken {
  /** When it has taken tokens last. */
  takenAtMs: number;
}

export class SharedRate {
  readonly #now: () => number;
  readonly #rate: () => Rate;
  readonly #all: Taken = { tokens: 0, atMs: -Infinity };
  /** The senders of the last second. */
  readonly #bySender = new Map<string, Sender>();
  readonly #turns = new BatchTurns();
  #tidiedAtMs = -Infinity;

  constructor(now: () => number, rate: () => Rate) {
    this.#now = now;
    this.#rate = rate;
  }

  /**
   * Asks for tokens. Returns the milliseconds until the sender may take them: 0 if they are left for it. A batch of a
   * sender within its share that has to wait gets a turn, which ends when the sender takes tokens, or a while after the
   * wait.
   */
  waitMs(sender: string, tokens = 1): number {
    const now = this.#now();
    const { perSecond, burst } = this.#rate();
    this.#tidy(now);
    const known = this.#bySender.get(sender);
    this.#turns.endExpired(now);
    const first = this.#turns.tokensBefore(sender);
    const tokensBefore = first ?? 0;
    // A sender that is refused does not count, however often it asks. But batches that wait count as one sender together:
    // without a share the others could take all that comes back.
    const senders = this.#bySender.size + (known ? 0 : 1) + (first === undefined ? 0 : 1);
    const share = perSecond / senders;
    const ownTokens = known ? settle(known, share, now).tokens : 0;
    const all = settle(this.#all, perSecond, now).tokens;
    const ownKept = (burst * keptPart) / senders;
    const isBatch = tokens > 1 && tokens > ownKept;
    const ownMost = Math.max(tokens, ownKept);
    const shareWaitMs = msUntil(ownTokens + tokens, { most: ownMost, perSecond: share });
    // What senders take within their kept parts leaves room for a whole burst.
    const keptTaken = all + tokens + (isBatch ? tokensBefore : 0);
    const withKept = burst * (1 + keptPart);
    const waitMs = Math.min(
      msUntil(all + tokens + tokensBefore, { most: burst, perSecond }),
      Math.max(shareWaitMs, msUntil(keptTaken, { most: withKept, perSecond })),
    );
    if (waitMs <= toleranceMs) return 0;
    const getsTurn = isBatch && tokens <= burst && shareWaitMs <= toleranceMs;
    if (getsTurn) this.#turns.keep(sender, tokens, { now, waitMs });
    return Math.ceil(waitMs);
  }

  /** Takes tokens, of a sender or of none. More may be taken than is left; the debt delays the next ones. */
  take(tokens: number, sender?: string): void {
    const now = this.#now();
    const { perSecond, burst } = this.#rate();
    const most = burst * (1 + keptPart) + (perSecond * longestDebtMs) / 1000;
    const all = settle(this.#all, perSecond, now);
    all.tokens = Math.min(all.tokens + tokens, most);
    if (sender === undefined) return;
    this.#turns.end(sender);
    this.#tidy(now);
    const own = this.#bySender.get(sender) ?? { tokens: 0, atMs: now, takenAtMs: now };
    this.#bySender.set(sender, own);
    settle(own, perSecond / this.#bySender.size, now);
    own.tokens = Math.min(own.tokens + tokens, most);
    own.takenAtMs = now;
  }

  /** Forgets senders that have taken nothing for a while and owe nothing. */
  #tidy(now: number): void {
    if (now - this.#tidiedAtMs < tidyMs) return;
    this.#tidiedAtMs = now;
    const share = this.#rate().perSecond / this.#bySender.size;
    for (const [name, sender] of this.#bySender) {
      if (now - sender.takenAtMs < activeMs) continue;
      if (settle(sender, share, now).tokens === 0) this.#bySender.delete(name);
    }
  }
}

/** Gives back what the time since the last call has given back. A time that runs backwards gives nothing. */
function settle(taken: Taken, perSecond: number, now: number): Taken {
  const given = (Math.max(0, now - taken.atMs) * perSecond) / 1000;
  taken.tokens = Math.max(0, taken.tokens - given);
  taken.atMs = now;
  return taken;
}

/** Milliseconds until no more than `most` are taken, if `perSecond` come back in a second. */
function msUntil(
  taken: number,
  { most, perSecond }: { readonly most: number; readonly perSecond: number },
): number {
  return (Math.max(0, taken - most) * 1000) / perSecond;
}
