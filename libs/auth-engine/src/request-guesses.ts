// The guesses that one request makes at passwords and sent codes: which they are, and whether the answer leaves them
// counted.
import type { RateLimiter } from '#libs/wire';
import type { AuthSettings } from './auth-config.js';
import { readEngineError, showable } from './auth-errors.js';
import { countedAddress } from './counted-address.js';
import { queryRows, type EnginePool } from './engine-pool.js';
import {
  countGuess,
  isKnownNetwork,
  sentCodeRule,
  type AccountName,
  type CountedGuess,
  type Guess,
  type GuessRule,
} from './guesses.js';
import { identifiersOf, type CountedRequest } from './request-limits.js';

interface GuessContext {
  readonly settings: AuthSettings;
  readonly pool: EnginePool;
  readonly rateLimiter: RateLimiter;
}

/**
 * Refusals that say nothing about a guess: the password or the code was right, or nothing has checked it. Every
 * other refusal below 500 counts, so that a refusal missing here cannot be used to guess without a limit.
 */
const OTHER_REFUSALS: ReadonlySet<string> = new Set([
  'CONCURRENT_CHANGE',
  'EMAIL_DOMAIN_NOT_ALLOWED',
  'EMAIL_NOT_VERIFIED',
  'PASSWORD_BREACHED',
  'PASSWORD_TOO_LONG',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_WEAK',
  'SIGNUP_DISABLED',
  'SIGNUP_REFUSED',
  'USER_INACTIVE',
]);

/**
 * Returns the answer of `ask`, before which the guesses of the request are counted. They stay counted when the answer
 * says that they were wrong; a failure of the engine or of a hook takes them back. Throws RATE_LIMITED (429) and
 * errors of `ask`.
 */
export async function countingGuesses(
  context: GuessContext,
  request: CountedRequest,
  ask: () => Promise<Response>,
): Promise<Response> {
  const counted: CountedGuess[] = [];
  // A guess that is refused must not be counted for the next name, too.
  for (const guess of guessesOf(context, request)) {
    counted.push(await countGuess(context.rateLimiter, guess));
  }
  if (counted.length === 0) return ask();
  const giveBack = () => Promise.all(counted.map((guess) => guess.giveBack()));
  let response: Response;
  try {
    response = await ask();
  } catch (error) {
    if (!isWrong(showable(error))) await giveBack();
    throw error;
  }
  if (response.status < 400) await Promise.all(counted.map((guess) => guess.takeBack()));
  else if (!isWrong(await readEngineError(response.clone()))) await giveBack();
  return response;
}

function isWrong({ status, code }: { readonly status: number; readonly code: string }): boolean {
  return status < 500 && !OTHER_REFUSALS.has(code);
}

/** The guesses that a request makes: at passwords, or at codes that were sent. */
function guessesOf(
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
    return { key: `wrong:${limit}:${countedAddress(identifier)}`, ip, rule, isExempt };
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
