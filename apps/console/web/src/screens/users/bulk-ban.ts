// Which users of a selection are banned at once.
import { counted } from '../../ui/counted.js';
import type { User } from './queries.js';

type Account = Pick<User, 'status'>;

/**
 * The users who are banned, and those who are left out: their accounts are deactivated or banned already. A ban would
 * replace the reason, and its undo would activate accounts that were inactive before.
 */
export function banOf<Item extends Account>(
  users: readonly Item[],
): { readonly banned: readonly Item[]; readonly leftOut: readonly Item[] } {
  return {
    banned: users.filter(({ status }) => status === 'active'),
    leftOut: users.filter(({ status }) => status !== 'active'),
  };
}

/** Returns why users are left out of a ban, in a sentence; undefined if there are none. */
export function leftOutInWords({ length }: readonly Account[]): string | undefined {
  if (length === 0) return undefined;
  return `${counted(length, 'user')} left out: deactivated or banned already.`;
}
