// What every account has, whichever way it signs in: sessions, the profile, and the platform's own rules
// about who may sign up, with which fields, what answers look like, and that an inactive user gets no session.
import type { AuthContext, BetterAuthPlugin, GenericEndpointContext, User } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import { sensitiveSessionMiddleware, sessionMiddleware } from 'better-auth/api';
import {
  defineRequestState,
  getCurrentDBAdapterAsyncLocalStorage,
  hasRequestState,
} from '@better-auth/core/context';
import { fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import { endpoint, hook, callback } from '../../endpoint.js';
import { endBan } from '../../ended-bans.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { mergedMetadata, metadataIn, type Metadata } from '../../metadata.js';
import { type AuthPart, read, write } from '../../part.js';
import { fieldIn } from '../../fields.js';
import { checkNewUser, checkSignUp, emailAddress } from '../../sign-up-policy.js';
import { checkUsername, randomUsername } from '../../usernames.js';
import { updateUser } from './update-user.js';
import { noteGuest } from '../anonymous/upgrade.sql.js';
import { answerView, listedSessionView, signInView } from '../../views.js';
import { currentRoute } from '../../outgoing-messages.js';

/** Sessions and the profile of the signed-in user. */
export const account: AuthPart = {
  name: 'account',
  routes: {
    '/sign-out': {
      ...write,
      summary: 'End the session',
      answer: 'Success',
    },
    '/get-session': {
      ...read,
      summary: 'Read the session and its user; null without one',
      answer: 'SessionOrNull',
      answersSession: true,
      apiKey: 'owner',
    },
    '/update-user': {
      ...write,
      summary: 'Change your name, picture or metadata',
      fields: 'name+ image username data:object',
      takesOtherFields: true,
      answer: 'Done',
      needsSession: true,
      ownerOnlyFields: ['username'],
      keepsAddress: true,
    },
    '/list-sessions': {
      ...read,
      summary: 'List your sessions, without their tokens',
      answer: 'Sessions',
      needsSession: true,
    },
    '/revoke-session': {
      ...write,
      summary: 'End one of your sessions',
      fields: 'id+ token',
      takesOtherFields: true,
      answer: 'Done',
      needsSession: true,
    },
    '/revoke-sessions': {
      ...write,
      summary: 'End all of your sessions',
      answer: 'Done',
      needsSession: true,
    },
    '/revoke-other-sessions': {
      ...write,
      summary: 'End all of your sessions but this one',
      answer: 'Done',
      needsSession: true,
    },
  },
  build: ({ settings, pool, generateUsername = randomUsername }) => ({
    plugins: [
      platformPlugin({ signup: settings['auth.signup'], pool, generateUsername }),
      bearer(),
    ],
  }),
};

interface PlatformOptions {
  readonly signup: SettingsOf<'auth.signup'>;
  readonly pool: EnginePool;
  /** Makes a user name for an account without one; when it throws, the account has none. */
  readonly generateUsername: () => string;
}

function platformPlugin(options: PlatformOptions): BetterAuthPlugin {
  return {
    id: 'platform',
    // Endpoints under the names of the engine's own take their place.
    endpoints: {
      listSessions,
      revokeSession: revokeSession(options.pool),
      revokeOtherSessions: revokeOtherSessions(options.pool),
      updateUser: updateUser(options.pool),
    },
    hooks: {
      before: [
        { matcher: () => currentRoute()?.createsAccount === true, handler: prepareSignUp(options) },
      ],
      after: [{ matcher: () => !currentRoute()?.answersOtherUser, handler: shapeAnswer }],
    },
    init: (context) => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              before: callback(async (user: User, request: GenericEndpointContext | null) => {
                // A request obeys the policy; the platform's own work, which has none, does not.
                if (request) {
                  const mayStandIn = currentRoute()?.makesStandInAddress ?? false;
                  checkNewUser(options.signup, { email: user.email, mayStandIn });
                }
                const metadata = (await hasRequestState()) ? await chosenMetadata.get() : undefined;
                const email = emailAddress(user.email);
                const isNamed = typeof fieldIn(user, 'username') === 'string';
                return {
                  data: {
                    email,
                    ...(!isNamed && { username: usernameOrNull(options.generateUsername) }),
                    ...(metadata && { user_metadata: metadata }),
                  },
                };
              }),
            },
          },
          session: {
            create: {
              before: callback(async ({ userId }: { readonly userId: string }) => {
                if (!(await isActive(options.pool, context, userId))) {
                  throw fail('USER_INACTIVE');
                }
              }),
            },
          },
        },
      },
    }),
  };
}

async function isActive(
  pool: EnginePool,
  { internalAdapter }: AuthContext,
  userId: string,
): Promise<boolean> {
  const transactions = await getCurrentDBAdapterAsyncLocalStorage();
  if (transactions.getStore()?.isTransactionActive === true) {
    // The user may be there for this transaction alone.
    const user = await internalAdapter.findUserById(userId);
    return fieldIn(user, 'status') === 'active';
  }
  const [user] = await queryRows<{ readonly status: string }>(
    pool,
    'select status from auth."user" where id = $1',
    [userId],
  );
  return user?.status === 'active' || (user !== undefined && endBan(pool, userId));
}

/** What the body of a sign-up says of `user_metadata`, under the name that clients know. */
const chosenMetadata = defineRequestState<Metadata | undefined>(() => undefined);

function prepareSignUp({ signup }: PlatformOptions) {
  return hook(async (_ctx, body) => {
    if (!body) return undefined;
    checkSignUp(signup, body['email']);
    checkUsername(body);
    await chosenMetadata.set(mergedMetadata('data', {}, metadataIn(body, 'data')));
    // The engine wants a name; the platform does not.
    return { context: { body: { ...body, name: body['name'] ?? '' } } };
  });
}

const shapeAnswer = hook(async (ctx) => {
  const { returned } = ctx.context;
  const view = currentRoute()?.answersSignIn ? signInView(returned) : answerView(returned);
  return view ? ctx.json(view) : undefined;
});

const listSessions = endpoint(
  '/list-sessions',
  { method: 'GET', use: [sessionMiddleware], requireHeaders: true },
  async (ctx) => {
    const { session } = ctx.context.session;
    const sessions = await ctx.context.internalAdapter.listSessions(session.userId, {
      onlyActiveSessions: true,
    });
    return ctx.json(sessions.map((row) => listedSessionView(row, session.id)));
  },
);

function revokeSession(pool: EnginePool) {
  return endpoint(
    '/revoke-session',
    { method: 'POST', use: [sessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      // The engine's client sends what the list has as `token`, which is the id, too.
      const named = body?.['id'] ?? body?.['token'];
      const { session } = ctx.context.session;
      const id = named === session.token ? session.id : named;
      if (typeof id !== 'string') {
        throw fail('INVALID_INPUT', { field: 'id', reason: 'must be the id of a session' });
      }
      const { userId } = session;
      // An unknown session and one of another user get the same answer.
      const gone = await queryRows(
        pool,
        'delete from auth.session where "userId" = $1 and id = $2 returning 1',
        [userId, id],
      );
      // It may have been the last session of a guest.
      if (gone.length > 0) await noteGuest(pool, userId);
      return ctx.json({ status: true });
    },
  );
}

/** Replaces the engine's endpoint, which ends sessions by their tokens: only hashes are stored. */
function revokeOtherSessions(pool: EnginePool) {
  return endpoint(
    '/revoke-other-sessions',
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx) => {
      const { id, userId } = ctx.context.session.session;
      await queryRows(pool, 'delete from auth.session where "userId" = $1 and id <> $2', [
        userId,
        id,
      ]);
      return ctx.json({ status: true });
    },
  );
}

function usernameOrNull(generate: () => string): string | null {
  try {
    return generate();
  } catch {
    // An account without a user name is better than no account (specification: User).
    return null;
  }
}
