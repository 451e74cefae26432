// Calls of the project's hooks when accounts and sessions are made, by whichever way to sign in.
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { isRecord } from '#libs/wire';
import { addressHeader, type AuthHooks } from '../../auth-config.js';
import type { AuthPart } from '../../part.js';
import { fieldIn } from '../../fields.js';
import { userView } from '../../views.js';
import { callback } from '../../endpoint.js';
import { currentRoute } from '../../outgoing-messages.js';

/** The hook of sign-ups, and the events of accounts and sessions. */
export const accountHooks: AuthPart = {
  name: 'accountHooks',
  routes: {},
  build: ({ hooks, onSession }) => ({ plugins: [hooksPlugin(hooks, onSession)] }),
};

function hooksPlugin(hooks: AuthHooks, onSession?: () => void): BetterAuthPlugin {
  return {
    id: 'platform-hooks',
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              before: callback(async (user: NewUser, request: GenericEndpointContext | null) => {
                const { signUp } = hooks;
                return signUp && { data: await additions(signUp, user, request) };
              }),
              after: async (user) => {
                await hooks.emit?.('user.created', { user: userView(user) });
              },
            },
          },
          session: {
            create: {
              after: async ({ id, userId, ipAddress, userAgent, createdAt }) => {
                onSession?.();
                const session = { id, userId, ipAddress, userAgent, createdAt };
                await hooks.emit?.('session.created', { session });
              },
            },
          },
        },
      },
    }),
  };
}

type NewUser = Readonly<Record<string, unknown>> & {
  readonly email: string;
  readonly name: string;
};

/** Returns the metadata of the new user with the additions of the hook. */
async function additions(
  signUp: NonNullable<AuthHooks['signUp']>,
  user: NewUser,
  request: GenericEndpointContext | null,
): Promise<Record<string, unknown>> {
  const ip = request?.headers?.get(addressHeader) ?? undefined;
  const added = await signUp({
    user: hookUser(user),
    method: methodOf(request),
    ...(ip !== undefined && { ip }),
  });
  return {
    app_metadata: merged(user['app_metadata'], added.app_metadata),
    user_metadata: merged(user['user_metadata'], added.user_metadata),
  };
}

function hookUser({ email, name, ...rest }: NewUser) {
  const { phoneNumber, username, isAnonymous, user_metadata: metadata } = rest;
  return {
    email,
    name,
    is_anonymous: isAnonymous === true,
    ...(typeof phoneNumber === 'string' && { phoneNumber }),
    ...(typeof username === 'string' && { username }),
    ...(isRecord(metadata) && { user_metadata: { ...metadata } }),
  };
}

/** Returns how the account comes to be: the method of the route, the id of a provider, or the platform's own work. */
function methodOf(request: GenericEndpointContext | null): string {
  if (!request) return 'admin';
  const { path, params, body } = request;
  const provider = params?.['id'] ?? fieldIn(body, 'provider');
  const named = typeof provider === 'string' ? provider : path.slice(1);
  return currentRoute()?.signUpMethod ?? named;
}

function merged(present: unknown, added: Readonly<Record<string, unknown>>): object {
  return { ...(isRecord(present) && present), ...added };
}
