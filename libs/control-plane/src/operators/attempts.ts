// Lock-out. A guess is counted before it is checked, so that parallel guesses cannot outrun the
// limit; what turns out right is taken back. Unknown e-mail addresses are counted like known ones.
import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';

/** Something that is guessed against: an account, an operator's codes, or everything from one network. */
export interface AttemptKey {
  readonly key: string;
  readonly limit: number;
}

const windowSeconds = 15 * 60;
const accountLimit = 10;
const codeLimit = 10;
const addressLimit = 100;

/** `email` in lower case. */
export const accountKey = (email: string): AttemptKey => ({
  key: `account:${email}`,
  limit: accountLimit,
});

export const codeKey = (operatorId: string): AttemptKey => ({
  key: `code:${operatorId}`,
  limit: codeLimit,
});

/** One key for an IPv4 address, and one for a whole /64 of IPv6: a customer line has that many addresses. */
export const addressKey = (ip: string): AttemptKey => ({
  key: `address:${networkOf(ip)}`,
  limit: addressLimit,
});

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
     select key, 1, now() + $2 * interval '1 second' from unnest($1::text[]) as key order by key
     on conflict (key) do update set
       attempts = case when a.window_ends_at > now() then a.attempts + 1 else 1 end,
       window_ends_at =
         case when a.window_ends_at > now() then a.window_ends_at else excluded.window_ends_at end
     returning key, attempts, ceil(extract(epoch from window_ends_at - now()))::int as seconds_left`,
    [keys.map(({ key }) => key), windowSeconds],
  );
  const limitByKey = new Map(keys.map(({ key, limit }) => [key, limit]));
  const locked = rows.filter((row) => row.attempts > (limitByKey.get(row.key) ?? 0));
  if (locked.length === 0) return;
  const retryAfterSeconds = Math.max(1, ...locked.map((row) => row.seconds_left));
  throw fail('ACCOUNT_LOCKED', {}, { retryAfterSeconds });
}

/** Takes back an attempt that was right: an address loses one failure, anything else starts anew. */
export async function forgiveAttempt(
  dataSource: DataSource,
  keys: readonly AttemptKey[],
): Promise<void> {
  const [addresses, others] = [true, false].map((wanted) =>
    keys.filter(({ key }) => key.startsWith('address:') === wanted).map(({ key }) => key),
  );
  await dataSource.query(
    `with forgiven as (
       update operator_attempt set attempts = greatest(attempts - 1, 0) where key = any($1)
     )
     delete from operator_attempt where key = any($2)`,
    [addresses, others],
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
