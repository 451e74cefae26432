// The accounts at providers that belong to a user: a list without secrets, and letting one go.
import { freshSessionMiddleware, sessionMiddleware } from 'better-auth/api';
import { APIError, BASE_ERROR_CODES } from '@better-auth/core/error';
import { isRecord } from '#libs/wire';
import { endpoint, hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText, fieldIn } from '../../fields.js';
import { queryRows } from '../../engine-pool.js';

/** `GET /list-accounts`. */
export const listUserAccounts = endpoint(
  '/list-accounts',
  { method: 'GET', use: [sessionMiddleware], requireHeaders: true },
  async (ctx) => {
    const { userId } = ctx.context.session.session;
    const accounts = await ctx.context.internalAdapter.findAccounts(userId);
    return ctx.json(
      accounts.map(({ id, providerId, accountId, scope, createdAt, updatedAt }) => ({
        id,
        provider: providerId,
        // The name that clients of the engine know it by.
        providerId,
        accountId,
        userId,
        scopes: (scope ?? '').split(',').filter(Boolean),
        createdAt,
        updatedAt,
      })),
    );
  },
);

/** `POST /unlink-account`. The last account stays, also when two are let go at the same moment. */
export function unlinkAccount({ pool }: AuthConfig) {
  return endpoint(
    '/unlink-account',
    { method: 'POST', use: [freshSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const accountId = requiredText(body, 'accountId');
      const { userId } = ctx.context.session.session;
      const accounts = await ctx.context.internalAdapter.findAccounts(userId);
      if (!accounts.some(({ id }) => id === accountId)) {
        throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.ACCOUNT_NOT_FOUND);
      }
      const deleted = await queryRows(
        pool,
        // The locks make others wait and then see what is left.
        `with mine as materialized (
           select id from auth.account where "userId" = $2 order by id for update
         )
         delete from auth.account
         where id = $1 and id in (select id from mine) and (select pg_catalog.count(*) from mine) > 1
         returning 1`,
        [accountId, userId],
      );
      if (deleted.length === 0) {
        throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.FAILED_TO_UNLINK_LAST_ACCOUNT);
      }
      return ctx.json({ status: true });
    },
  );
}

/** Shows the person of `GET /account-info` as the provider knows it: it is no user of this project. */
export const shapeAccountInfo = hook(async (ctx) => {
  const returned: unknown = ctx.context.returned;
  const user = fieldIn(returned, 'user');
  if (!isRecord(returned) || !isRecord(user)) return undefined;
  const fields = ['name', 'email', 'image', 'emailVerified'];
  const shown = fields.map((field) => [field, user[field] ?? null] as const);
  return ctx.json({ ...returned, user: Object.fromEntries(shown) });
});
