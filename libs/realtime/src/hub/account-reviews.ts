// Reads the rights of an account's members again after a change of the account. The feed waits a moment for this, which is
// enough for a few connections. Members that are not reviewed by then receive nothing until they are; the feed goes on for
// all others. So an account with many connections holds its own channels alone.
import type { Clock } from '../ports.js';
import type { Member } from './member.js';
import { waitAtMost } from './wait-at-most.js';

/** The feed waits for the members of all accounts that have changed in a page for this long. */
export const feedWaitsMs = 250;

export interface AccountReviewsParts {
  readonly clock: Clock;
  readonly membersOf: (userId: string) => Iterable<Member>;
  /** Reads the rights of members again. Does not reject. */
  readonly review: (members: readonly Member[]) => Promise<void>;
  /** Sends nothing more to a member. */
  readonly hold: (member: Member) => void;
  /** Continues with a member as its rights are now. */
  readonly release: (member: Member) => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** A review that runs. */
interface Review {
  /** The account has changed again since it began. */
  isOutdated: boolean;
  /** Those that receive nothing until it ends. */
  readonly held: Set<Member>;
  /** Resolves when it has ended. */
  ended: Promise<void>;
}

export class AccountReviews {
  readonly #running = new Map<string, Review>();

  constructor(private readonly parts: AccountReviewsParts) {}

  /**
   * Resolves when no member of the account is sent anything under rights from before the change. Waits until a time of the
   * clock for the members; those that are not reviewed by then are held.
   */
  async changed(userId: string, waitsUntil: number): Promise<void> {
    const running = this.#running.get(userId);
    if (running) {
      running.isOutdated = true;
      this.#hold(userId, running);
      return;
    }
    const review: Review = { isOutdated: false, held: new Set(), ended: Promise.resolve() };
    this.#running.set(userId, review);
    review.ended = this.#run(userId, review).catch((error: unknown) =>
      this.parts.onError(error, 'review an account'),
    );
    const { clock } = this.parts;
    await waitAtMost(clock, waitsUntil - clock.now(), review.ended);
    if (this.#running.get(userId) === review) this.#hold(userId, review);
  }

  /** Resolves when no review of the account runs. */
  async settled(userId: string): Promise<void> {
    for (;;) {
      const running = this.#running.get(userId);
      if (!running) return;
      await running.ended;
    }
  }

  async #run(userId: string, review: Review): Promise<void> {
    const { membersOf, onError } = this.parts;
    try {
      do {
        review.isOutdated = false;
        // Those whose credential has ended receive nothing, until another one has been looked up.
        const members = [...membersOf(userId)].filter(({ isExpired }) => !isExpired);
        await this.parts.review(members);
      } while (review.isOutdated);
    } finally {
      this.#running.delete(userId);
    }
    this.#release(review).catch((error: unknown) => onError(error, 'release an account'));
  }

  #hold(userId: string, review: Review): void {
    for (const member of this.parts.membersOf(userId)) {
      if (member.reviews.has(review) || member.isExpired) continue;
      member.reviews.add(review);
      review.held.add(member);
      this.parts.hold(member);
    }
  }

  async #release(review: Review): Promise<void> {
    for (const member of review.held) member.reviews.delete(review);
    await Promise.all([...review.held].map((member) => this.parts.release(member)));
  }
}
