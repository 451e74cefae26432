// Keeps the rights of members as the database has them: read again when their account changes and when their credential
// ends. A client without rights is disconnected.
import { AppError, fail } from '#libs/errors';
import type { Credential } from '#libs/wire';

import type { Clock } from '../ports.js';
import { AccountReviews } from './account-reviews.js';
import type { Delivery } from './delivery.js';
import { errorFrame } from './frame.js';
import { groupBy } from './group-by.js';
import type { Member } from './member.js';
import { Places } from './places.js';
import type { Callers } from './ports.js';
import { type Rights, seeTheSame } from './rights.js';

/** A client whose credential has ended may show another one for this long. */
const graceMs = 10_000;
/** Limits of a wait: the least keeps clocks that differ from asking without a pause, timers hold no more than the most. */
const shortestWaitMs = 1_000;
const longestWaitMs = 2 ** 31 - 1;

/** Credentials that are looked up at the same time, of changed accounts. */
const lookupsAtOnce = 8;

export interface RightsWatchParts {
  readonly callers: Callers;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly delivery: Delivery;
  /** Called after the rights of members have changed. Does not reject. */
  readonly onChange: (members: readonly Member[]) => Promise<void>;
  /** Called when a member must not be sent anything more: its credential has ended, or its rights are not known yet. */
  readonly hold: (member: Member) => void;
  /** Called when it may be sent what its rights allow now. */
  readonly release: (member: Member) => Promise<void>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** A member, and the credential that it had when the lookup began. */
interface Lookup {
  readonly member: Member;
  readonly credential: Credential;
}

/** Whether the member has still the credential that was looked up. */
const isUnchanged = ({ member, credential }: Lookup): boolean => member.credential === credential;

export class RightsWatch {
  readonly #byUser = new Map<string, Set<Member>>();
  /** Running lookups, each with the accounts that have changed since it began. */
  readonly #lookups = new Set<Set<string>>();
  readonly #places = new Places(lookupsAtOnce);
  readonly #accounts: AccountReviews;

  constructor(private readonly parts: RightsWatchParts) {
    this.#accounts = new AccountReviews({
      ...parts,
      membersOf: (userId) => this.#byUser.get(userId) ?? [],
      review: (members) => this.#review(members),
    });
  }

  /** Begins to watch over a member. */
  add(member: Member): void {
    const { userId } = member.rights;
    if (userId !== undefined) {
      const members = this.#byUser.get(userId) ?? new Set();
      this.#byUser.set(userId, members.add(member));
    }
    this.#awaitEnd(member);
  }

  remove(member: Member): void {
    member.expiry?.cancel();
    const { userId } = member.rights;
    if (userId === undefined) return;
    const members = this.#byUser.get(userId);
    if (members?.delete(member) && members.size === 0) this.#byUser.delete(userId);
  }

  /**
   * Reads the rights of a credential and uses them at once. They are not older than the last change of the account that
   * {@link accountChanged} has received. Throws the errors of the lookup.
   */
  async read<T>(credential: Credential, use: (rights: Rights | undefined) => T): Promise<T> {
    for (;;) {
      const changed = new Set<string>();
      this.#lookups.add(changed);
      try {
        const rights = await this.parts.callers.findRights(credential);
        const isOld = rights?.userId !== undefined && changed.has(rights.userId);
        if (!isOld) return use(rights);
      } finally {
        this.#lookups.delete(changed);
      }
    }
  }

  /**
   * Reads the rights of the members of a user again. Nothing that was committed later is sent to them before. Resolves at
   * that time of the clock at the latest.
   */
  async accountChanged(userId: string, waitsUntil: number): Promise<void> {
    for (const changed of this.#lookups) changed.add(userId);
    await this.#accounts.changed(userId, waitsUntil);
  }

  /** Resolves when the rights of a member are not being read because its account has changed. */
  async settled({ rights: { userId } }: Member): Promise<void> {
    if (userId !== undefined) await this.#accounts.settled(userId);
  }

  /** Goes on with another credential. Throws SESSION_ENDED and the errors of the lookup. */
  async renew(member: Member, credential: Credential): Promise<void> {
    await this.read(credential, (rights) => {
      if (rights === undefined) throw fail('SESSION_ENDED');
      member.credential = credential;
      this.#replace(member, rights);
    });
    await this.parts.onChange([member]);
    if (!member.isExpired) return;
    member.isExpired = false;
    await this.parts.release(member);
  }

  /** Reads the rights of a member again, as they are now. Without rights it is held or disconnected. */
  async refresh(member: Member): Promise<void> {
    const { rights: before, credential } = member;
    if (await this.#refresh([{ member, credential }])) {
      if (!seeTheSame(before, member.rights)) await this.parts.onChange([member]);
    } else if (isUnchanged({ member, credential }) && !member.isExpired) {
      const hasEnded = before.expiresAt !== undefined && before.expiresAt <= this.parts.now();
      if (hasEnded) this.#expire(member);
      else member.end(fail('SESSION_ENDED'));
    }
  }

  /** Reads the rights of members again, once for each credential, and disconnects those without. */
  async #review(members: readonly Member[]): Promise<void> {
    const lookups = members.map((member) => ({ member, credential: member.credential }));
    const groups = groupBy(lookups, ({ credential }) => JSON.stringify(credential));
    await Promise.all(
      [...groups.values()].map((group) =>
        this.#places.run(async () => {
          if (await this.#refresh(group)) return;
          for (const { member } of group.filter(isUnchanged)) member.end(fail('SESSION_ENDED'));
        }),
      ),
    );
    await this.parts.onChange(members.filter(({ isGone }) => !isGone));
  }

  /**
   * Reads the rights of members with one credential, and returns whether there are any. What is not known is not assumed:
   * then they are disconnected.
   */
  async #refresh(lookups: readonly Lookup[]): Promise<boolean> {
    const [first] = lookups;
    if (!first) return true;
    try {
      return await this.read(first.credential, (rights) => {
        if (rights === undefined) return false;
        for (const { member } of lookups.filter(isUnchanged)) this.#replace(member, rights);
        return true;
      });
    } catch (error) {
      const reason =
        error instanceof AppError ? error : fail('INTERNAL_ERROR', {}, { cause: error });
      if (reason.status >= 500) this.parts.onError(error, 'read the rights of a socket');
      for (const { member } of lookups.filter(isUnchanged)) member.end(reason);
      return false;
    }
  }

  #replace(member: Member, rights: Rights): void {
    this.remove(member);
    member.rights = rights;
    if (!member.isGone) this.add(member);
  }

  /** At the end of its credential a member is informed, and later disconnected unless it has shown another one. */
  #awaitEnd(member: Member): void {
    const { clock, now } = this.parts;
    const { expiresAt } = member.rights;
    if (expiresAt === undefined) return;
    const waitMs = Math.min(Math.max(expiresAt - now(), shortestWaitMs), longestWaitMs);
    member.expiry = clock.setTimer(waitMs, () => {
      this.#endOf(member).catch((error: unknown) =>
        this.parts.onError(error, 'end the credential of a socket'),
      );
    });
  }

  async #endOf(member: Member): Promise<void> {
    // A session that is used ends later than it once said.
    const lookup = { member, credential: member.credential };
    if (await this.#refresh([lookup])) await this.parts.onChange([member]);
    else if (isUnchanged(lookup)) this.#expire(member);
  }

  #expire(member: Member): void {
    if (member.isGone) return;
    const { clock, delivery } = this.parts;
    member.expiry?.cancel();
    member.isExpired = true;
    this.parts.hold(member);
    delivery.send(member, errorFrame(fail('TOKEN_EXPIRED')));
    member.expiry = clock.setTimer(graceMs, () => member.end(fail('TOKEN_EXPIRED')));
  }
}
