// The query of the list of users, made from the address of the screen.
import type { paths } from '../../api/project-schema.js';
import { type Order, periods, type UsersSearch, usualOrder } from './search.js';

type ListQuery = NonNullable<paths['/api/admin/users']['get']['parameters']['query']>;

/** The query of the list, without its page. Moments are whole minutes, so that the same question has the same text. */
export function listQuery(search: UsersSearch, now: number): ListQuery {
  const { q = '', kind, status, provider, signedIn, created, sort = usualOrder } = search;
  const wanted = q.trim();
  return {
    ...(wanted !== '' && { search: wanted }),
    ...(kind === 'guest' && { isAnonymous: 'true' as const }),
    ...(kind === 'user' && { role: 'USER', isAnonymous: 'false' as const }),
    ...(kind === 'admin' && { role: 'ADMIN' }),
    ...(status && { status }),
    ...(provider !== undefined && { provider }),
    ...(signedIn === 'never' && { hasSignedIn: 'false' as const }),
    ...(signedIn && signedIn !== 'never' && { lastSignInFrom: daysAgo(periods[signedIn], now) }),
    ...(created && { createdFrom: daysAgo(periods[created], now) }),
    orderBy: sort,
  };
}

/** The order that a press on a heading asks for: the usual direction of the field, then the other one. */
export function nextOrder(current: Order, field: 'name' | 'lastSignInAt' | 'createdAt'): Order {
  const [usual, other] =
    field === 'name'
      ? (['name.asc', 'name.desc'] as const)
      : ([`${field}.desc`, `${field}.asc`] as const);
  return current === usual ? other : usual;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function daysAgo(days: number, now: number): string {
  return new Date(Math.floor((now - days * dayMs) / minuteMs) * minuteMs).toISOString();
}
