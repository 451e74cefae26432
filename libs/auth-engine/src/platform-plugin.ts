// The platform's own rules inside the auth engine: who may sign up, with which fields, what answers look
// like, and that an inactive user gets no session. The engine calls these hooks; they know no HTTP server.
import type { BetterAuthPlugin } from 'better-auth';
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  sessionMiddleware,
} from 'better-auth/api';
import { AppError, fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import { checkFields, checkSignUp, SIGN_UP_FIELDS, UPDATE_FIELDS } from './sign-up-policy.js';
import { usernameProblem } from './usernames.js';
import { answerView, listedSessionView, signInView } from './views.js';

export interface PlatformOptions {
  readonly signup: SettingsOf<'auth.signup'>;
  /** Makes a user name for an account without one; when it throws, the account has none. */
  readonly generateUsername: () => string;
}

/** The plugin that carries the platform's rules. */
export function platformPlugin(options: PlatformOptions): BetterAuthPlugin {
  return {
    id: 'platform',
    // Endpoints under the names of the engine's own take their place.
    endpoints: { listSessions, revokeSession },
    hooks: {
      before: [
        { matcher: ({ path }) => path === '/sign-up/email', handler: prepareSignUp(options) },
        { matcher: ({ path }) => path === '/update-user', handler: checkUpdate },
      ],
      after: [{ matcher: () => true, handler: shapeAnswer }],
    },
    init: (context) => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              before: async (user, request) => {
                // A request obeys the policy; the platform's own work, which has none, does not.
                if (request) refusable(() => checkSignUp(options.signup, user.email));
                if (typeof Reflect.get(user, 'username') === 'string') return undefined;
                return { data: { username: usernameOrNull(options.generateUsername) } };
              },
            },
          },
          session: {
            create: {
              before: async ({ userId }) => {
                const user = await context.internalAdapter.findUserById(userId);
                const isActive = user && Reflect.get(user, 'status') === 'active';
                if (!isActive) throw refusal(fail('USER_INACTIVE'));
              },
            },
          },
        },
      },
    }),
  };
}

function prepareSignUp({ signup }: PlatformOptions) {
  return createAuthMiddleware(async (ctx) => {
    const body: unknown = ctx.body;
    if (!isObject(body)) return undefined;
    refusable(() => {
      checkFields(body, SIGN_UP_FIELDS);
      checkSignUp(signup, Reflect.get(body, 'email'));
      checkUsername(body);
    });
    // The engine wants a name; the platform does not.
    const name: unknown = Reflect.get(body, 'name');
    return { context: { body: { ...body, name: name ?? '' } } };
  });
}

const checkUpdate = createAuthMiddleware(async (ctx) => {
  const body: unknown = ctx.body;
  if (!isObject(body)) return;
  refusable(() => {
    checkFields(body, UPDATE_FIELDS);
    checkUsername(body);
  });
});

const shapeAnswer = createAuthMiddleware(async (ctx) => {
  const isSignIn = ctx.path.startsWith('/sign-up/') || ctx.path.startsWith('/sign-in/');
  const { returned } = ctx.context;
  const view = isSignIn ? signInView(returned) : answerView(returned);
  return view ? ctx.json(view) : undefined;
});

const listSessions = createAuthEndpoint(
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

const revokeSession = createAuthEndpoint(
  '/revoke-session',
  { method: 'POST', use: [sessionMiddleware], requireHeaders: true },
  async (ctx) => {
    const body: unknown = ctx.body;
    const id: unknown = isObject(body) ? Reflect.get(body, 'id') : undefined;
    if (typeof id !== 'string') {
      throw refusal(fail('INVALID_INPUT', { field: 'id', reason: 'must be the id of a session' }));
    }
    const { userId } = ctx.context.session.session;
    const sessions = await ctx.context.internalAdapter.listSessions(userId);
    const found = sessions.find((row) => row.id === id);
    // A session that is gone or somebody else's answers the same: nothing is told about it.
    if (found) await ctx.context.internalAdapter.deleteSession(found.token);
    return ctx.json({ status: true });
  },
);

function usernameOrNull(generate: () => string): string | null {
  try {
    return generate();
  } catch {
    // An account without a user name is better than no account (specification: User).
    return null;
  }
}

function checkUsername(body: object): void {
  const username: unknown = Reflect.get(body, 'username');
  if (username === undefined) return;
  const reason = usernameProblem(username);
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'username', reason });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Runs a check of ours in a place where the engine understands only its own errors. */
function refusable(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof AppError ? refusal(error) : error;
  }
}

function refusal({ status, code, message }: AppError): APIError {
  return new APIError(undefined, { code, message }, {}, status);
}
