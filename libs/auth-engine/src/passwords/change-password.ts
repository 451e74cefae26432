// The change of a known password. It locks the user before anything of it, as the administration
// does: the engine's own endpoint locks sessions first, and the two then wait for each other.
import type { GenericEndpointContext } from 'better-auth';
import { isAPIError, sensitiveSessionMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { APIError, BASE_ERROR_CODES } from '@better-auth/core/error';
import { fail } from '#libs/errors';
import { endpoint } from '../endpoint.js';
import type { AuthConfig } from '../auth-config.js';
import { violates } from '../auth-errors.js';
import { flagField, requiredText } from '../fields.js';
import { inEngineTransaction, queryRows, type RunStatement } from '../engine-pool.js';
import { passwordChanged } from '../parts/password-changed/part.js';
import { userView } from '../views.js';
import { endOvertaken } from './overtaken-sign-in.js';
import { createPasswordPolicy } from './policy.js';
import { verifyPassword } from '#libs/passwords';

export const changePasswordPath = '/change-password';

interface Change {
  readonly userId: string;
  readonly currentPassword: string;
  readonly newHash: string;
  readonly endsSessions: boolean;
}

/** The endpoint `POST /change-password`. With `revokeOtherSessions` one new session takes the place of all. */
export function changePassword(config: AuthConfig) {
  const { pool } = config;
  const hashChosen = createPasswordPolicy(config);
  return endpoint(
    changePasswordPath,
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const { user } = ctx.context.session;
      const currentPassword = requiredText(body, 'currentPassword');
      const newPassword = requiredText(body, 'newPassword');
      const endsSessions = flagField(body, 'revokeOtherSessions');
      const [account] = await queryRows<Account>(pool, findAccount, [user.id]);
      if (!account) throw APIError.from('BAD_REQUEST', CREDENTIAL_ACCOUNT_NOT_FOUND);
      const newHash = await hashChosen(newPassword);
      await requireFit(account, currentPassword);
      const change = { userId: user.id, currentPassword, newHash, endsSessions };
      await inEngineTransaction(pool, (run) => writeChange(run, account, change));
      let token: string | null = null;
      if (endsSessions) {
        const session = await openSession(ctx, user.id);
        await endOvertaken(pool, { userId: user.id, exceptId: session?.id });
        if (session) await setSessionCookie(ctx, { session, user });
        token = session?.token ?? null;
      }
      await passwordChanged(config, user);
      return ctx.json({ token, user: userView(user) });
    },
  );
}

const { CREDENTIAL_ACCOUNT_NOT_FOUND, INVALID_PASSWORD } = BASE_ERROR_CODES;

/** The session after the change; undefined for a user who was deactivated or deleted after it. */
async function openSession({ context }: GenericEndpointContext, userId: string) {
  try {
    return await context.internalAdapter.createSession(userId);
  } catch (error) {
    const isGone = isAPIError(error) && error.body?.code === 'USER_INACTIVE';
    if (isGone || violates(error, 'session_userId_fkey')) return undefined;
    throw error;
  }
}

interface Account {
  readonly id: string;
  readonly password: string;
}

const findAccount = `select id, password from auth.account
  where "userId" = $1 and "providerId" = 'credential' and password is not null`;

async function requireFit({ password }: Account, typed: string): Promise<void> {
  if (!(await verifyPassword(password, typed)))
    throw APIError.from('BAD_REQUEST', INVALID_PASSWORD);
}

async function writeChange(run: RunStatement, seen: Account, change: Change): Promise<void> {
  const { userId, currentPassword, newHash, endsSessions } = change;
  const [user] = await run<{ readonly status: string }>(
    'select status from auth."user" where id = $1 for update',
    [userId],
  );
  if (user?.status !== 'active') throw fail('USER_INACTIVE');
  const [account] = await run<Account>(findAccount, [userId]);
  if (!account) throw APIError.from('BAD_REQUEST', CREDENTIAL_ACCOUNT_NOT_FOUND);
  // Another request has changed it meanwhile, or a sign-in has given the same password a new hash.
  if (account.password !== seen.password) await requireFit(account, currentPassword);
  if (endsSessions) await run('delete from auth.session where "userId" = $1', [userId]);
  await run('update auth.account set password = $2, "updatedAt" = pg_catalog.now() where id = $1', [
    account.id,
    newHash,
  ]);
}
