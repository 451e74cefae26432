import { fail } from '#libs/errors';
import { networkOf, type RateLimiter, type RateUse } from '#libs/wire';
import { countedAddress } from './counted-address.js';
import type { AuthSettings } from './auth-config.js';
import { fieldIn } from './fields.js';
import type { LimitKind, MatchedRoute } from './part.js';

/** The fields of a request that rate limiting looks at. */
export interface CountedRequest {
  readonly route: MatchedRoute;
  /** The client's address. */
  readonly ip: string;
  /** The body as it was understood. */
  readonly body: unknown;
}

/** What a request uses up before its body is read: the limits of its network address. */
export function addressUses(
  settings: AuthSettings,
  { route, ip }: Pick<CountedRequest, 'route' | 'ip'>,
): readonly RateUse[] {
  const { enabled, windowSeconds, max, credentialMax } = settings['security.rateLimit'];
  if (!enabled) return [];
  const client = networkOf(ip);
  const all = { key: `all:${client}`, rule: { windowSeconds, max } };
  if (route.limit === undefined) return [all];
  const kind = settings['auth.rateLimits'][route.limit];
  return [
    all,
    { key: `attempt:${client}`, rule: { windowSeconds, max: credentialMax } },
    {
      key: `${route.limit}:address:${client}`,
      rule: { windowSeconds: kind.windowSeconds, max: kind.perAddress },
    },
  ];
}

/** Guesses at an account. A limit over all networks would let a stranger keep its owner out. */
const guessed: ReadonlySet<LimitKind> = new Set(['signIn', 'verifyCode']);

/** What a request uses up for whom it is about: from its own network where it guesses, else wherever it comes from. */
export function identifierUses(
  settings: AuthSettings,
  { route, ip, body }: CountedRequest,
): readonly RateUse[] {
  const { limit } = route;
  if (!settings['security.rateLimit'].enabled || limit === undefined) return [];
  const { windowSeconds, perIdentifier: max } = settings['auth.rateLimits'][limit];
  return identifiersOf(route, body).map(({ identifier }) => {
    const key = identifierKey(limit, identifier);
    return {
      key: guessed.has(limit) ? networkKey(key, ip) : key,
      rule: { windowSeconds, max },
    };
  });
}

/** The key under which requests of one kind about one identifier are counted. */
function identifierKey(limit: LimitKind, identifier: string): string {
  return `${limit}:id:${countedAddress(identifier)}`;
}

/** The key under which the uses of `key` from the network of `ip` are counted. */
export function networkKey(key: string, ip: string): string {
  return `${key}@${networkOf(ip)}`;
}

/** The key under which sign-ins of an account from the network of `ip` are counted. */
export function signInKey(identifier: string, ip: string): string {
  return networkKey(identifierKey('signIn', identifier), ip);
}

interface Identified {
  /** The field of the body. */
  readonly field: string;
  readonly identifier: string;
}

/** The accounts that a request is about, as they are stored. */
export function identifiersOf(
  { identifiedBy = [] }: Pick<MatchedRoute, 'identifiedBy'>,
  body: unknown,
): readonly Identified[] {
  return identifiedBy.flatMap((field) => {
    const value = fieldIn(body, field);
    if (typeof value !== 'string' || value === '') return [];
    return [{ field, identifier: value.trim().toLowerCase().slice(0, 320) }];
  });
}

/** Counts the uses. Throws RATE_LIMITED (429) with the time to wait when one of them is used up. */
export async function countUses(limiter: RateLimiter, uses: readonly RateUse[]): Promise<void> {
  if (uses.length === 0) return;
  const verdict = await limiter.consume(uses);
  if (verdict.allowed) return;
  throw fail('RATE_LIMITED', {}, { retryAfterSeconds: verdict.retryAfterSeconds });
}
