// Counts guesses at one account before they are checked, so that parallel guesses cannot exceed a limit. The first
// limit is per account and network, so that guesses of a stranger do not lock the owner out. The second holds for
// all networks together, except those with a live session of the owner.
import { networkOf, type RateLimiter } from '#libs/wire';
import { queryRows, type EnginePool } from './engine-pool.js';
import { countUses, networkKey } from './request-limits.js';

/** How many wrong guesses there may be in a window. */
export interface GuessRule {
  readonly windowSeconds: number;
  readonly perNetwork: number;
  /** From all strange networks together. */
  readonly perAccount: number;
}

export interface Guess {
  /** The account, and the secret of it that is guessed. */
  readonly key: string;
  /** The client's address. */
  readonly ip: string;
  readonly rule: GuessRule;
  /** Whether `perAccount` does not hold for this guess, which is then not counted for the account. */
  readonly isExempt: () => Promise<boolean>;
}

/**
 * Wrong codes that were sent by mail or SMS, for one account over all its codes; the settings do not change it. With
 * six digits a guesser has one chance in 2,000 in a day; with four digits one in 21.
 */
export const sentCodeRule: GuessRule = { windowSeconds: 3600, perNetwork: 10, perAccount: 20 };

/** A guess that was counted. Without either call it stays counted, as a wrong one does. */
export interface CountedGuess {
  /** Takes back a right guess, and clears the count of its network. */
  readonly takeBack: () => Promise<void>;
  /** Takes back a guess that was not checked. */
  readonly giveBack: () => Promise<void>;
}

/** Counts a guess. Throws RATE_LIMITED (429) when there were too many. */
export async function countGuess(
  limiter: RateLimiter,
  { key, ip, rule, isExempt }: Guess,
): Promise<CountedGuess> {
  const { windowSeconds, perNetwork, perAccount } = rule;
  const own = networkKey(key, ip);
  // A network that is closed uses up nothing of the account.
  await countUses(limiter, [{ key: own, rule: { windowSeconds, max: perNetwork } }]);
  const ofAccount = (await isExempt()) ? [] : [key];
  await countUses(
    limiter,
    ofAccount.map((each) => ({ key: each, rule: { windowSeconds, max: perAccount } })),
  );
  return {
    takeBack: async () => {
      await Promise.all([limiter.reset([own]), limiter.giveBack(ofAccount)]);
    },
    giveBack: () => limiter.giveBack([own, ...ofAccount]),
  };
}

/** The column of auth."user" by which an account is named, and its value. */
export interface AccountName {
  readonly column: 'id' | 'email' | 'phoneNumber';
  readonly value: string;
}

/** Whether the owner of an account has a live session from the network of `ip`. */
export async function isKnownNetwork(
  pool: EnginePool,
  { column, value }: AccountName,
  ip: string,
): Promise<boolean> {
  const rows = await queryRows<{ address: string }>(
    pool,
    `select distinct s."ipAddress" as address
     from auth.session s join auth."user" u on u.id = s."userId"
     where u."${column}" = $1 and s."expiresAt" > pg_catalog.now() and s."ipAddress" is not null`,
    [value],
  );
  const network = networkOf(ip);
  return rows.some(({ address }) => networkOf(address) === network);
}
