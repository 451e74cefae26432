// How long sessions last and how many of them a user has.
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { isRecord } from '#libs/wire';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import type { AuthPart } from '../../part.js';
import { currentRoute } from '../../outgoing-messages.js';
import {
  firstEnd,
  mayBeDue,
  sessionLifetime,
  touchSession,
  type SessionLifetime,
} from './lifetime.js';
import { endOtherSessions } from './single-session.js';
import { provenAddressHooks } from './unproven-access.js';

/** For how long a session lasts whose user does not want to be remembered, in seconds. */
const unrememberedSeconds = 86_400;

/** The rules of sessions. They come after everything that may take a new session back. */
export const sessionPolicy: AuthPart = {
  name: 'sessionPolicy',
  routes: {},
  build: (config) => ({ plugins: [policyPlugin(config)] }),
};

function policyPlugin(config: AuthConfig): BetterAuthPlugin {
  const { pool, settings } = config;
  const group = settings['auth.sessions'];
  const lifetime = sessionLifetime(group);
  return {
    id: 'platform-session-policy',
    schema: {
      session: {
        fields: { endsAt: { type: 'date', required: false, input: false, returned: false } },
      },
    },
    hooks: {
      after: [
        { matcher: () => true, handler: renew(config, lifetime) },
        ...(group.singleSession ? [{ matcher: () => true, handler: endOthers(config) }] : []),
      ],
    },
    init: () => ({
      options: {
        // The engine would only look at the lifetime.
        session: { disableSessionRefresh: true },
        databaseHooks: {
          session: {
            create: {
              before: async (session, request) => {
                const { createdAt } = session;
                const isShort = isUnremembered(request) || isShortened(session, group.expiresIn);
                const endsAt = isShort ? unrememberedEnd(createdAt) : undefined;
                const expiresAt = firstEnd(lifetime, { createdAt, endsAt });
                return { data: { expiresAt, ...(endsAt && { endsAt }) } };
              },
            },
          },
          user: { update: provenAddressHooks(pool) },
        },
      },
    }),
  };
}

/** Moves the end of the session that a request has used. */
function renew({ pool }: AuthConfig, lifetime: SessionLifetime) {
  return hook(async (ctx) => {
    const { returned } = ctx.context;
    const used = ctx.context.session?.session;
    if (!used || !mayBeDue(lifetime, used.expiresAt) || isPassive(ctx.query)) return undefined;
    const touched = await touchSession(pool, lifetime, used.token);
    if (!currentRoute()?.answersSession) return undefined;
    if (!touched) return ctx.json(null);
    if (touched.isRenewed) await renewCookie(ctx, used.token);
    if (!isRecord(returned)) return undefined;
    const shown: unknown = returned['session'];
    if (!isRecord(shown)) return undefined;
    return ctx.json({ ...returned, session: { ...shown, expiresAt: touched.expiresAt } });
  });
}

/** Whether the client only looks, as the engine's own client asks for. */
function isPassive(query: unknown): boolean {
  const asked: unknown = isRecord(query) ? query['disableRefresh'] : undefined;
  return asked === true || asked === 'true';
}

/** Gives the session cookie its full time again. A cookie that ends with the browser stays so. */
async function renewCookie(ctx: GenericEndpointContext, token: string): Promise<void> {
  const { authCookies, secret, sessionConfig } = ctx.context;
  const { name, attributes } = authCookies.sessionToken;
  if (await ctx.getSignedCookie(authCookies.dontRememberToken.name, secret)) return;
  const maxAge = sessionConfig.expiresIn;
  await ctx.setSignedCookie(name, token, secret, { ...attributes, maxAge });
}

function endOthers({ pool }: AuthConfig) {
  return hook(async (ctx) => {
    const created = ctx.context.newSession?.session;
    if (created) await endOtherSessions(pool, created);
  });
}

function isUnremembered(request: GenericEndpointContext | null): boolean {
  const body: unknown = request?.body;
  return isRecord(body) && body['rememberMe'] === false;
}

/** Whether the engine has given a session the short life: a second factor comes with a later request. */
function isShortened({ createdAt, expiresAt }: Lifespan, expiresIn: number): boolean {
  if (expiresIn === unrememberedSeconds) return false;
  return Math.abs(expiresAt.getTime() - unrememberedEnd(createdAt).getTime()) < 1000;
}

interface Lifespan {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

function unrememberedEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + unrememberedSeconds * 1000);
}
