// Guesses of second factors. They are counted before they are checked, in one statement, so that no number of
// requests at once has more of them than one after the other. Those of sign-ins close the network that they
// come from first; the count of the factor is that of all strange networks together.
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { countGuess, isKnownNetwork, sentCodeRule } from '../../guesses.js';
import { networkKey } from '../../request-limits.js';
import type { Holder } from './holder.js';

const windowMinutes = 15;
/** Guesses in the window at the second factor of one user from one network. */
const networkAttempts = 10;
/** From all strange networks. Three of a million codes are right: a thief of the password has 1.4 % a day. */
const strangeAttempts = 50;

/** What a code is given for; each is counted apart. */
type AttemptKind = 'signIn' | 'stepUp';

const COLUMNS = {
  signIn: { attempts: '"signInAttempts"', windowEnd: '"signInWindowEnd"' },
  stepUp: { attempts: '"stepUpAttempts"', windowEnd: '"stepUpWindowEnd"' },
} as const;

interface Attempt {
  readonly factorId: string;
  readonly kind: AttemptKind;
}

/** Counts a guess. Throws RATE_LIMITED when there were `max` in the window of 15 minutes. */
async function countAttempt(
  pool: EnginePool,
  { factorId, kind, max }: Attempt & { readonly max: number },
): Promise<void> {
  const { attempts, windowEnd } = COLUMNS[kind];
  const rows = await queryRows<{ attempts: number; waitSeconds: number }>(
    pool,
    `update auth."twoFactor" set
       ${attempts} = case when ${windowEnd} > pg_catalog.now() then least(${attempts}, 1000000) + 1 else 1 end,
       ${windowEnd} = case when ${windowEnd} > pg_catalog.now() then ${windowEnd}
         else pg_catalog.now() + pg_catalog.make_interval(mins => ${windowMinutes}) end
     where id = $1
     returning ${attempts} as attempts,
       pg_catalog.ceil(extract(epoch from ${windowEnd} - pg_catalog.now()))::pg_catalog.int4 as "waitSeconds"`,
    [factorId],
  );
  const [counted] = rows;
  if (counted && counted.attempts > max) {
    throw fail('RATE_LIMITED', {}, { retryAfterSeconds: Math.max(1, counted.waitSeconds) });
  }
}

/** Resets the count of a session after a right code. For a sign-in it takes back one guess. */
async function forgiveAttempts(pool: EnginePool, { factorId, kind }: Attempt): Promise<void> {
  const { attempts } = COLUMNS[kind];
  const left = kind === 'stepUp' ? '0' : `greatest(${attempts} - 1, 0)`;
  await queryRows(pool, `update auth."twoFactor" set ${attempts} = ${left} where id = $1`, [
    factorId,
  ]);
}

export interface FactorGuess {
  readonly factorId: string;
  readonly holder: Holder;
  /** The client's address. */
  readonly ip: string;
  /** Whether the code was sent by mail or SMS. */
  readonly isSent: boolean;
}

/** Takes a right guess back. */
export type TakeBack = () => Promise<void>;

/** Counts a guess. Throws RATE_LIMITED when there were too many. */
export function countFactorGuess(config: AuthConfig, guess: FactorGuess): Promise<TakeBack> {
  return guess.holder.kind === 'signIn'
    ? countSignInGuess(config, guess)
    : countStepUpGuess(config, guess);
}

async function countStepUpGuess(config: AuthConfig, guess: FactorGuess): Promise<TakeBack> {
  const { pool, settings } = config;
  const { factorId } = guess;
  const takeSentBack = await countSentCode(config, guess, () => isFromKnownNetwork(pool, guess));
  const { stepUpAttempts: max } = settings['auth.twoFactor'];
  await countAttempt(pool, { factorId, kind: 'stepUp', max });
  return async () => {
    await forgiveAttempts(pool, { factorId, kind: 'stepUp' });
    await takeSentBack();
  };
}

async function countSignInGuess(config: AuthConfig, guess: FactorGuess): Promise<TakeBack> {
  const { pool, limit, rateLimiter } = config;
  const { factorId, ip } = guess;
  const own = networkKey(`secondFactor:${factorId}`, ip);
  await limit([{ key: own, rule: { windowSeconds: windowMinutes * 60, max: networkAttempts } }]);
  const isKnown = await isFromKnownNetwork(pool, guess);
  // Before the count of the factor: a network that this closes uses up nothing of it.
  const takeSentBack = await countSentCode(config, guess, () => Promise.resolve(isKnown));
  const attempt: Attempt = { factorId, kind: 'signIn' };
  if (!isKnown) await countAttempt(pool, { ...attempt, max: strangeAttempts });
  return async () => {
    await rateLimiter.reset([own]);
    if (!isKnown) await forgiveAttempts(pool, attempt);
    await takeSentBack();
  };
}

function isFromKnownNetwork(pool: EnginePool, { holder, ip }: FactorGuess): Promise<boolean> {
  return isKnownNetwork(pool, { column: 'id', value: holder.userId }, ip);
}

/** Counts a guess at a code by mail or SMS; codes of the app are not counted here. */
async function countSentCode(
  { rateLimiter }: AuthConfig,
  { holder, ip, isSent }: FactorGuess,
  isExempt: () => Promise<boolean>,
): Promise<TakeBack> {
  if (!isSent) return () => Promise.resolve();
  const { takeBack } = await countGuess(rateLimiter, {
    key: `wrong:secondFactor:${holder.kind}:${holder.userId}`,
    ip,
    rule: sentCodeRule,
    isExempt,
  });
  return takeBack;
}
