import type { Transaction } from '#libs/database';

import { type AdminUserView, userColumns } from './users.sql.js';

/** The orders of a list, each with its column. */
const ORDERS = {
  'createdAt.desc': '"user"."createdAt" desc',
  'createdAt.asc': '"user"."createdAt" asc',
  'updatedAt.desc': '"user"."updatedAt" desc',
  'updatedAt.asc': '"user"."updatedAt" asc',
  'lastSignInAt.desc': 'seen.at desc nulls last',
  'lastSignInAt.asc': 'seen.at asc nulls last',
  'email.asc': '"user".email asc',
  'email.desc': '"user".email desc',
  'name.asc': 'lower("user".name) asc',
  'name.desc': 'lower("user".name) desc',
  'username.asc': 'lower("user".username) asc',
  'username.desc': 'lower("user".username) desc nulls last',
} as const;

export type UserOrder = keyof typeof ORDERS;

// Object.keys of a constant table gives its keys and no others.
export const USER_ORDERS = Object.keys(ORDERS) as readonly UserOrder[];

export interface UserFilter {
  readonly search: string | undefined;
  readonly role: string | undefined;
  readonly status: string | undefined;
  readonly provider: string | undefined;
  readonly isAnonymous: boolean | undefined;
  readonly createdFrom: string | undefined;
  readonly createdTo: string | undefined;
  readonly lastSignInFrom: string | undefined;
  readonly lastSignInTo: string | undefined;
  /** Only users who have (true) or have never (false) signed in. */
  readonly hasSignedIn: boolean | undefined;
}

const source = `auth."user" left join auth.last_sign_in seen on seen."userId" = "user".id`;

const matches = `($1::pg_catalog.text is null or "user".email ilike $1 or "user".name ilike $1
    or "user".username ilike $1 or "user"."phoneNumber" ilike $1 or "user".id::pg_catalog.text ilike $1)
  and ($2::pg_catalog.text is null or "user".role = $2)
  and ($3::pg_catalog.text is null or "user".status = $3)
  and ($4::pg_catalog.text is null or exists (
    select from auth.account where account."userId" = "user".id and account."providerId" = $4))
  and ($5::pg_catalog.bool is null or "user"."isAnonymous" = $5)
  and ($6::pg_catalog.timestamptz is null or "user"."createdAt" >= $6)
  and ($7::pg_catalog.timestamptz is null or "user"."createdAt" < $7)
  and ($8::pg_catalog.timestamptz is null or seen.at >= $8)
  and ($9::pg_catalog.timestamptz is null or seen.at < $9)
  and ($10::pg_catalog.bool is null or (seen.at is not null) = $10)`;

/** One page of the users that match; users that are equal in the order come by their ids. */
export async function listUsers(
  tx: Transaction,
  filter: UserFilter,
  page: { readonly orderBy: UserOrder; readonly limit: number; readonly offset: number },
): Promise<AdminUserView[]> {
  const { orderBy, limit, offset } = page;
  const { rows } = await tx.query<AdminUserView>(
    // The columns have subqueries, which are evaluated for the rows of the page alone.
    `select ${userColumns} from (
       select "user".id as page_id,
         pg_catalog.row_number() over (order by ${ORDERS[orderBy]}, "user".id) as place
       from ${source} where ${matches} order by place limit $11 offset $12
     ) page join auth."user" on "user".id = page.page_id order by page.place`,
    [...valuesOf(filter), limit, offset],
  );
  return rows;
}

export async function countUsers(tx: Transaction, filter: UserFilter): Promise<number> {
  const { rows } = await tx.query<{ readonly total: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as total from ${source} where ${matches}`,
    valuesOf(filter),
  );
  return rows[0]?.total ?? 0;
}

function valuesOf(filter: UserFilter): readonly unknown[] {
  return [
    filter.search === undefined ? null : `%${escapePattern(filter.search)}%`,
    filter.role ?? null,
    filter.status ?? null,
    filter.provider ?? null,
    filter.isAnonymous ?? null,
    filter.createdFrom ?? null,
    filter.createdTo ?? null,
    filter.lastSignInFrom ?? null,
    filter.lastSignInTo ?? null,
    filter.hasSignedIn ?? null,
  ];
}

/** The text so that LIKE takes every character as itself. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
