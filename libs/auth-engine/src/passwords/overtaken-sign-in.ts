// A sign-in takes the time of a hash. A password that becomes another one meanwhile ends every session, but the
// session that is about to begin does not exist yet: the sign-in checks the password again when it does.
import type { BetterAuthPlugin } from 'better-auth';
import { deleteSessionCookie } from 'better-auth/cookies';
import { defineRequestState, hasRequestState } from '@better-auth/core/context';
import { APIError, BASE_ERROR_CODES } from '@better-auth/core/error';
import { hook } from '../endpoint.js';
import { queryRows, type EnginePool } from '../engine-pool.js';
import { verifyPassword } from '#libs/passwords';
import { currentRoute } from '../outgoing-messages.js';

interface Fitting {
  readonly hash: string;
  readonly password: string;
}

const fitting = defineRequestState<Fitting | undefined>(() => undefined);

/** Remembers for this request which hash a password has fitted. */
export async function rememberFitting(found: Fitting): Promise<void> {
  if (await hasRequestState()) await fitting.set(found);
}

type AfterHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['after']>[number];

/**
 * The hook that takes a new session back whose password is none any more. A change of the password ends the
 * sessions after it is written, so that a sign-in that reads the old one here is ended there.
 */
export function refuseOvertaken(pool: EnginePool): AfterHook {
  return {
    matcher: () => currentRoute()?.signsInByPassword === true,
    handler: hook(async (ctx) => {
      const found = await fitting.get();
      const session = ctx.context.newSession?.session;
      if (!found || !session) return;
      const [account] = await queryRows<{ password: string | null }>(
        pool,
        `select password from auth.account where "userId" = $1 and "providerId" = 'credential'`,
        [session.userId],
      );
      const current = account?.password ?? undefined;
      // Another sign-in may have given the same password a new hash.
      const isSame =
        current === found.hash ||
        (current !== undefined && (await verifyPassword(current, found.password)));
      if (isSame) return;
      await queryRows(pool, 'delete from auth.session where id = $1', [session.id]);
      deleteSessionCookie(ctx);
      throw APIError.from('UNAUTHORIZED', BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD);
    }),
  };
}

/** Ends the sessions that began while the password was being changed, but for one. */
export async function endOvertaken(
  pool: EnginePool,
  { userId, exceptId = '' }: { readonly userId: string; readonly exceptId?: string | undefined },
): Promise<void> {
  await queryRows(pool, 'delete from auth.session where "userId" = $1 and id <> $2', [
    userId,
    exceptId,
  ]);
}
