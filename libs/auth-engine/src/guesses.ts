// Guesses at one account. Each is counted before it is judged, so that many at once are no more than one after
// the other, and taken back when it was right. Guesses close the network that they come from first: a stranger
// who knows an address keeps its owner out of nothing. All strange networks together have a limit of their own;
// a network from which the owner is signed in is not measured by it.
import { fail } from '#libs/errors';
import type { AuthSettings } from './auth-config.js';
import { clientKey } from './client-address.js';
import { queryRows, type EnginePool } from './engine-pool.js';
import type { RateLimiter } from './rate-limiter.js';
import { countUses, identifiersOf, type CountedRequest } from './request-limits.js';

/** How many wrong guesses there may be in a window. */
export interface GuessRule {
  readonly windowSeconds: number;
  readonly perNetwork: number;
  /** From all strange networks together. */
  readonly perAccount: number;
}

export interface Guess {
  /** What is guessed at: the account, and what of it. */
  readonly key: string;
  /** The client's address. */
  readonly ip: string;
  readonly rule: GuessRule;
  /** Whether `perAccount` does not hold for this guess; asked once that is used up. */
  readonly isExempt: () => Promise<boolean>;
}

/**
 * Codes that were sent by mail or SMS: wrong ones for one account, over all codes, whatever the settings say of
 * a single one. Of a million codes one is right: this leaves a guesser one chance in 2,000 in a day.
 */
export const sentCodeRule: GuessRule = { windowSeconds: 3600, perNetwork: 10, perAccount: 20 };

/** Counts a guess and returns what takes it back. Throws RATE_LIMITED (429) when there were too many. */
export async function countGuess(
  limiter: RateLimiter,
  { key, ip, rule, isExempt }: Guess,
): Promise<() => Promise<void>> {
  const { windowSeconds, perNetwork, perAccount } = rule;
  const own = { key: networkKey(key, ip), rule: { windowSeconds, max: perNetwork } };
  // A network that is closed uses up nothing of the account.
  await countUses(limiter, [own]);
  const verdict = await limiter.consume([{ key, rule: { windowSeconds, max: perAccount } }]);
  if (!verdict.allowed && !(await isExempt())) {
    throw fail('RATE_LIMITED', {}, { retryAfterSeconds: verdict.retryAfterSeconds });
  }
  return async () => {
    await Promise.all([limiter.reset([own.key]), limiter.giveBack([key])]);
  };
}

/** The key under which the uses of `key` from the network of `ip` are counted. */
export function networkKey(key: string, ip: string): string {
  return `${key}@${clientKey(ip)}`;
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
  const network = clientKey(ip);
  return rows.some(({ address }) => clientKey(address) === network);
}

interface GuessContext {
  readonly settings: AuthSettings;
  readonly pool: EnginePool;
}

/** The guesses that a request makes: at passwords, or at codes that were sent. */
export function guessesOf(
  { settings, pool }: GuessContext,
  { route, ip, body }: CountedRequest,
): readonly Guess[] {
  const { limit } = route;
  if (limit !== 'signIn' && limit !== 'verifyCode') return [];
  const isCode = limit === 'verifyCode';
  if (!isCode && !settings['security.rateLimit'].enabled) return [];
  const rule = isCode ? sentCodeRule : passwordRule(settings);
  return identifiersOf(route, body).map(({ field, identifier }) => {
    const name: AccountName = {
      column: field === 'phoneNumber' ? 'phoneNumber' : 'email',
      value: identifier,
    };
    const isExempt = async () =>
      (await isKnownNetwork(pool, name, ip)) ||
      (!isCode && settings['auth.twoFactor'].enabled && (await hasSecondFactor(pool, name)));
    return { key: `wrong:${limit}:${identifier}`, ip, rule, isExempt };
  });
}

/** Ten windows of the limit of sign-ins, so that strangers guess no faster than one network may. */
function passwordRule(settings: AuthSettings): GuessRule {
  const { windowSeconds, perIdentifier } = settings['auth.rateLimits'].signIn;
  return {
    windowSeconds: 10 * windowSeconds,
    perNetwork: 2 * perIdentifier,
    perAccount: 10 * perIdentifier,
  };
}

/** Whether a password of the account is not enough, so that guesses at it need no further limit. */
async function hasSecondFactor(pool: EnginePool, { column, value }: AccountName): Promise<boolean> {
  const rows = await queryRows(
    pool,
    `select from auth."user" where "${column}" = $1 and "twoFactorEnabled"`,
    [value],
  );
  return rows.length > 0;
}
