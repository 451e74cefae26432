// Lock-out. A guess is counted before it is checked, so that parallel guesses cannot exceed the limit; a correct guess
// is taken back. Unknown email addresses are counted like known ones. Wrong guesses first lock the pair of account and
// network, so that the operator can still sign in from elsewhere. All strange networks together have a further limit.
// It does not apply to a network from which the operator is signed in, to a trusted device and, for passwords, to an
// account with a second factor.
import { countedAddress } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { networkOf } from '#libs/wire';
import type { DataSource, EntityManager } from 'typeorm';

/** The subject of guesses. */
export interface AttemptKey {
  readonly key: string;
  readonly limit: number;
  /** Whether many people share the count: then a correct guess takes back only itself. */
  readonly isShared: boolean;
}

/** What is known of a visitor before a guess is checked. */
export interface Guesser {
  readonly ip: string;
  /** The operator is signed in from this network. */
  readonly isKnownNetwork: boolean;
}

const windowSeconds = 15 * 60;
const pairLimit = 10;
const strangePasswordLimit = 100;
// Three of a million codes are valid at a time: with the password, an attacker succeeds with 1.4 % a day at this limit.
const strangeCodeLimit = 50;
const addressLimit = 100;

const own = (key: string): AttemptKey => ({ key, limit: pairLimit, isShared: false });
const shared = (key: string, limit: number): AttemptKey => ({ key, limit, isShared: true });

/** The counters of a login. */
export function loginKeys(
  email: string,
  guesser: Guesser & {
    readonly hasSecondFactor: boolean;
    /** Identifies the trusted device of the request; undefined if there is none or it is not valid. */
    readonly deviceId: string | undefined;
  },
): readonly AttemptKey[] {
  const { ip, isKnownNetwork, hasSecondFactor, deviceId } = guesser;
  if (deviceId !== undefined) return [own(`device:${deviceId}`)];
  const account = countedAddress(email);
  const keys = [own(`login:${account}@${networkOf(ip)}`), addressKey(ip)];
  if (isKnownNetwork || hasSecondFactor) return keys;
  return [...keys, shared(`account:${account}`, strangePasswordLimit)];
}

/** The counters of a code of a second factor. */
export function codeKeys(operatorId: string, guesser: Guesser): readonly AttemptKey[] {
  const { ip, isKnownNetwork } = guesser;
  const keys = [own(`code:${operatorId}@${networkOf(ip)}`), addressKey(ip)];
  return isKnownNetwork ? keys : [...keys, shared(`codes:${operatorId}`, strangeCodeLimit)];
}

/** The counters of a password that a signed-in operator enters again. */
export const sessionKey = (sessionId: string): AttemptKey => own(`session:${sessionId}`);

/** One key for an IPv4 address, and one for a whole /64 of IPv6: a customer line has that many addresses. */
const addressKey = (ip: string): AttemptKey => shared(`address:${networkOf(ip)}`, addressLimit);

/** Whether two addresses are in one network: the same IPv4 address, or the same /64 of IPv6. */
export const isSameNetwork = (one: string, other: string): boolean =>
  networkOf(one) === networkOf(other);

/**
 * Counts one attempt against each key. Throws ACCOUNT_LOCKED with Retry-After if a limit is exceeded within the window
 * of 15 minutes.
 */
export async function countAttempt(
  dataSource: DataSource,
  keys: readonly AttemptKey[],
): Promise<void> {
  const retryAfterSeconds = await countUses(dataSource, keys, windowSeconds);
  if (retryAfterSeconds > 0) throw fail('ACCOUNT_LOCKED', {}, { retryAfterSeconds });
}

/**
 * Counts one use of each key in a window that begins with its first use. Returns the seconds until no limit is
 * exceeded: 0 if none is, and 1 at least. In a transaction, others that count the same keys wait for its end.
 */
export async function countUses(
  on: Pick<EntityManager, 'query'>,
  keys: readonly Pick<AttemptKey, 'key' | 'limit'>[],
  seconds: number,
): Promise<number> {
  const rows: { key: string; attempts: number; seconds_left: number }[] = await on.query(
    `insert into operator_attempt as a (key, attempts, window_ends_at)
     select key, 1, pg_catalog.now() + $2 * interval '1 second' from pg_catalog.unnest($1::pg_catalog.text[]) as key order by key
     on conflict (key) do update set
       attempts = case when a.window_ends_at > pg_catalog.now() then a.attempts + 1 else 1 end,
       window_ends_at =
         case when a.window_ends_at > pg_catalog.now() then a.window_ends_at else excluded.window_ends_at end
     returning key, attempts, pg_catalog.ceil(extract(epoch from window_ends_at - pg_catalog.now()))::pg_catalog.int4 as seconds_left`,
    [keys.map(({ key }) => key), seconds],
  );
  const limitByKey = new Map(keys.map(({ key, limit }) => [key, limit]));
  const exceeded = rows.filter((row) => row.attempts > (limitByKey.get(row.key) ?? 0));
  return exceeded.length === 0 ? 0 : Math.max(1, ...exceeded.map((row) => row.seconds_left));
}

/** Takes back a correct attempt: a shared count loses one failure, any other count is reset. */
export async function forgiveAttempt(
  dataSource: DataSource,
  keys: readonly AttemptKey[],
): Promise<void> {
  const [shares, owns] = [true, false].map((wanted) =>
    keys.filter(({ isShared }) => isShared === wanted).map(({ key }) => key),
  );
  await dataSource.query(
    `with forgiven as (
       update operator_attempt set attempts = greatest(attempts - 1, 0) where key = any($1)
     )
     delete from operator_attempt where key = any($2)`,
    [shares, owns],
  );
}

/** Unlocks an account that guesses have locked, for every network. */
export async function forgiveAccount(
  dataSource: DataSource,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const account = countedAddress(email);
  await dataSource.query(
    `delete from operator_attempt where key = any($1)
       or pg_catalog.starts_with(key, $2) or pg_catalog.starts_with(key, $3)`,
    [[`account:${account}`, `codes:${id}`], `login:${account}@`, `code:${id}@`],
  );
}

/** Unlocks all networks that guesses have locked. */
export async function forgiveAddresses(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    "delete from operator_attempt where pg_catalog.starts_with(key, 'address:')",
  );
}
