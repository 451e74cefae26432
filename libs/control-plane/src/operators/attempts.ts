// Lock-out. A guess is counted before it is checked, so that parallel guesses cannot outrun the limit;
// a right one is taken back. Unknown e-mail addresses are counted like known ones.
// Wrong guesses close the pair of account and network first, so that they do not keep an operator out who
// comes from elsewhere. All strange networks together have a limit of their own; a network from which the
// operator is signed in, a trusted device and, for passwords, an account with a second factor are not
// measured by it.
import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';

/** Something that is guessed against. */
export interface AttemptKey {
  readonly key: string;
  readonly limit: number;
  /** Counts guesses of many people: a right one takes back itself alone and not the others. */
  readonly isShared: boolean;
}

/** What is known of whoever guesses, before the guess is checked. */
export interface Guesser {
  readonly ip: string;
  /** The operator is signed in from this network. */
  readonly isKnownNetwork: boolean;
}

const windowSeconds = 15 * 60;
const pairLimit = 10;
const strangePasswordLimit = 100;
// Of a million codes three are right at a time: a thief of the password has 1.4 % a day at this limit.
const strangeCodeLimit = 50;
const addressLimit = 100;

const own = (key: string): AttemptKey => ({ key, limit: pairLimit, isShared: false });
const shared = (key: string, limit: number): AttemptKey => ({ key, limit, isShared: true });

/** What a login is counted against. `email` in lower case. */
export function loginKeys(
  email: string,
  guesser: Guesser & {
    readonly hasSecondFactor: boolean;
    /** Identifies the trusted device that is shown; undefined for none or one that is not valid. */
    readonly deviceId: string | undefined;
  },
): readonly AttemptKey[] {
  const { ip, isKnownNetwork, hasSecondFactor, deviceId } = guesser;
  if (deviceId !== undefined) return [own(`device:${deviceId}`)];
  const keys = [own(`login:${email}@${networkOf(ip)}`), addressKey(ip)];
  if (isKnownNetwork || hasSecondFactor) return keys;
  return [...keys, shared(`account:${email}`, strangePasswordLimit)];
}

/** What a code of a second factor is counted against. */
export function codeKeys(operatorId: string, guesser: Guesser): readonly AttemptKey[] {
  const { ip, isKnownNetwork } = guesser;
  const keys = [own(`code:${operatorId}@${networkOf(ip)}`), addressKey(ip)];
  return isKnownNetwork ? keys : [...keys, shared(`codes:${operatorId}`, strangeCodeLimit)];
}

/** What a password is counted against that a signed-in operator gives again. */
export const sessionKey = (sessionId: string): AttemptKey => own(`session:${sessionId}`);

/** One key for an IPv4 address, and one for a whole /64 of IPv6: a customer line has that many addresses. */
const addressKey = (ip: string): AttemptKey => shared(`address:${networkOf(ip)}`, addressLimit);

/** Whether two addresses are in one network: the same IPv4 address, or the same /64 of IPv6. */
export const isSameNetwork = (one: string, other: string): boolean =>
  networkOf(one) === networkOf(other);

/**
 * Counts one attempt against each key.
 * Throws ACCOUNT_LOCKED with Retry-After when a limit is passed within the window of 15 minutes.
 */
export async function countAttempt(
  dataSource: DataSource,
  keys: readonly AttemptKey[],
): Promise<void> {
  const rows: { key: string; attempts: number; seconds_left: number }[] = await dataSource.query(
    `insert into operator_attempt as a (key, attempts, window_ends_at)
     select key, 1, pg_catalog.now() + $2 * interval '1 second' from pg_catalog.unnest($1::pg_catalog.text[]) as key order by key
     on conflict (key) do update set
       attempts = case when a.window_ends_at > pg_catalog.now() then a.attempts + 1 else 1 end,
       window_ends_at =
         case when a.window_ends_at > pg_catalog.now() then a.window_ends_at else excluded.window_ends_at end
     returning key, attempts, pg_catalog.ceil(extract(epoch from window_ends_at - pg_catalog.now()))::pg_catalog.int4 as seconds_left`,
    [keys.map(({ key }) => key), windowSeconds],
  );
  const limitByKey = new Map(keys.map(({ key, limit }) => [key, limit]));
  const locked = rows.filter((row) => row.attempts > (limitByKey.get(row.key) ?? 0));
  if (locked.length === 0) return;
  const retryAfterSeconds = Math.max(1, ...locked.map((row) => row.seconds_left));
  throw fail('ACCOUNT_LOCKED', {}, { retryAfterSeconds });
}

/** Takes back an attempt that was right: a shared count loses one failure, any other starts anew. */
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

/** Opens an account again that guesses have closed, for every network. */
export async function forgiveAccount(
  dataSource: DataSource,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await dataSource.query(
    `delete from operator_attempt where key = any($1)
       or pg_catalog.starts_with(key, $2) or pg_catalog.starts_with(key, $3)`,
    [[`account:${email}`, `codes:${id}`], `login:${email}@`, `code:${id}@`],
  );
}

/** Opens all networks again that guesses have closed. */
export async function forgiveAddresses(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    "delete from operator_attempt where pg_catalog.starts_with(key, 'address:')",
  );
}

function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) {
    const after = tail.split(':').filter((group) => group !== '');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
