// The deletion of an account by its owner, who has signed in just now or gives the password. Accounts without
// a password, as those of guests, need a fresh session.
import type { BetterAuthPlugin } from 'better-auth';
import { sensitiveSessionMiddleware } from 'better-auth/api';
import { deleteSessionCookie } from 'better-auth/cookies';
import { fail, isRefusal } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import { addressHeader, type AuthConfig } from '../../auth-config.js';
import { textField } from '../../fields.js';
import { queryRows, type EnginePool, type RunStatement } from '../../engine-pool.js';
import { type AuthPart, write } from '../../part.js';
import { verifyPassword } from '#libs/passwords';
import { signInKey } from '../../request-limits.js';
import { userView } from '../../views.js';

/** The route that deletes the account of the session. */
export const deleteUserPath = '/delete-user';

/** The deletion of the account that is signed in. */
export const selfDeletion: AuthPart = {
  name: 'selfDeletion',
  routes: {
    [deleteUserPath]: {
      ...write,
      summary: 'Delete your account',
      fields: 'password+',
      answer: 'Deleted',
      needsSession: true,
      needsSecondFactor: true,
    },
  },
  build: (config) => ({ plugins: [selfDeletionPlugin(config)] }),
};

function selfDeletionPlugin(config: AuthConfig): BetterAuthPlugin {
  return {
    id: 'platform-self-deletion',
    endpoints: { deleteUser: deleteUser(config) },
  };
}

function deleteUser(config: AuthConfig) {
  const { settings, pool } = config;
  const { freshAge } = settings['auth.sessions'];
  return endpoint(
    deleteUserPath,
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const { user, session } = ctx.context.session;
      const password = textField(body, 'password');
      const proof = await findProof(pool, user.id, session.id);
      // A session that is not in the table, as that of an API key, deletes no user.
      if (!proof) throw fail('FORBIDDEN');
      if (password !== undefined) {
        await countPasswordUse(config, user, ctx.headers?.get(addressHeader) ?? '');
        const { passwordHash } = proof;
        const isRight = passwordHash !== null && (await verifyPassword(passwordHash, password));
        if (!isRight) throw fail('INVALID_PASSWORD');
      } else if (proof.sessionAgeSeconds > freshAge) {
        throw fail('SESSION_NOT_FRESH');
      }
      // Without the routes of organizations no owner could hand one over.
      const { enabled: hasOrganizations } = settings['auth.organization'];
      await removeUser(config, {
        userId: user.id,
        eventData: { user: userView(user) },
        ...(hasOrganizations && { check: requireSuccessors }),
      });
      deleteSessionCookie(ctx);
      return ctx.json({ success: true, message: 'User deleted' });
    },
  );
}

/**
 * Deletes a user with everything that goes along. Throws CONFLICT when a table of the project keeps it, and
 * LAST_OWNER when organizations need the user.
 */
async function removeUser(
  { deleteUser }: AuthConfig,
  deletion: Parameters<AuthConfig['deleteUser']>[0],
): Promise<void> {
  try {
    await deleteUser(deletion);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reason = 'Rows of the project refer to this account';
    throw fail('CONFLICT', { reason }, { cause: error });
  }
}

interface OwnedOrganization {
  readonly id: string;
  readonly name: string;
}

/**
 * Throws LAST_OWNER, as leaving does, when an organization with other members would be left without an owner.
 * One without other members is left as it is: administrators of the project may give it to another user.
 */
async function requireSuccessors(run: RunStatement, userId: string): Promise<void> {
  // A statement of its own: the next one then sees what other changes of these members have committed. An owner whose
  // deletion is requested is none: requests are made under this lock, too.
  await run(
    `select from auth.organization where id in (
       select "organizationId" from auth.member where "userId" = $1 and role = 'owner'
     ) order by id for no key update`,
    [userId],
  );
  const organizations = await run<OwnedOrganization>(
    `select o.id, o.name from auth.member m join auth.organization o on o.id = m."organizationId"
     where m."userId" = $1 and m.role = 'owner'
       and not exists (select from auth.member other where other."organizationId" = o.id
         and other.role = 'owner' and other."userId" <> $1
         and not exists (select from auth.user_deletion d where d.user_id = other."userId"))
       and exists (select from auth.member other where other."organizationId" = o.id
         and other."userId" <> $1)
     order by o.name limit 20`,
    [userId],
  );
  if (organizations.length === 0) return;
  throw fail('LAST_OWNER', {}, { details: { organizations } });
}

/**
 * A password may be guessed here as at a sign-in, and is counted with those of the same network. All networks
 * share the guesses on sessions of the user. Throws RATE_LIMITED.
 */
async function countPasswordUse(
  { settings, limit }: AuthConfig,
  user: { readonly id: string; readonly email: string },
  ip: string,
): Promise<void> {
  if (!settings['security.rateLimit'].enabled) return;
  const { windowSeconds, perIdentifier: max } = settings['auth.rateLimits'].signIn;
  const rule = { windowSeconds, max };
  const keys = [signInKey(user.email, ip), `deleteUser:id:${user.id}`];
  await limit(keys.map((key) => ({ key, rule })));
}

interface Proof {
  readonly sessionAgeSeconds: number;
  readonly passwordHash: string | null;
}

/** What decides whether users may delete themselves; undefined when the session is gone. */
async function findProof(
  pool: EnginePool,
  userId: string,
  sessionId: string,
): Promise<Proof | undefined> {
  const [proof] = await queryRows<Proof>(
    pool,
    `select extract(epoch from pg_catalog.now() - session."createdAt")::pg_catalog.float8 as "sessionAgeSeconds",
       (select password from auth.account
        where account."userId" = session."userId" and "providerId" = 'credential') as "passwordHash"
     from auth.session
     where session.id = $2 and session."userId" = $1 and session."expiresAt" > pg_catalog.now()`,
    [userId, sessionId],
  );
  return proof;
}
