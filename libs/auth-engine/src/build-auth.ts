// One project's auth engine: settings come in, an instance that answers requests comes out. The instance
// keeps nothing but its options, so a project is given new settings by building another one; requests
// that are in it finish with what they started with.
import { betterAuth } from 'better-auth';
import { AppError, fail } from '#libs/errors';
import type { RateUse } from '#libs/wire';
import { createAdministration, type Administration } from './administration.js';
import type { AuthConfig, MessageStore } from './auth-config.js';
import { authOptions } from './auth-options.js';
import { cookieNamePrefix } from './session-cookie.js';
import { createEngineHandler } from './engine-handler.js';
import { createHandler, type EngineRequest, type RequestContext } from './handle-request.js';
import { collectingMessages, storingPool } from './outgoing-messages.js';
import type { AuthPart, BuiltPart } from './part.js';
import { PARTS } from './parts/index.js';
import { countUses } from './request-limits.js';
import { buildRouter } from './router.js';
import { sessionTokenOf, verifySignedToken, type SessionHeaders } from './session-token.js';

export interface BuildAuthOptions extends Omit<AuthConfig, 'limit' | 'messages'> {
  readonly messages: MessageStore;
}

/** A project's auth engine with fixed settings. It owns nothing: dropping it is enough to end it. */
export interface AuthInstance {
  /** Answers a request below `/api/auth`, errors included. Rejects never. */
  handle(request: EngineRequest, context: RequestContext): Promise<Response>;
  /** What work on other people's accounts takes. */
  readonly administration: Administration;
  /** The session token that a request shows, its signature checked but not looked up. */
  sessionTokenOf(headers: SessionHeaders): string | undefined;
  /** The token of `token.signature`; undefined when the signature is not this project's. */
  verifySignedToken(signed: string): string | undefined;
  /** The name of the session cookie; it depends on whether the project is served over https. */
  readonly sessionCookieName: string;
}

/** Builds the auth engine of a project. Throws SETTINGS_REFUSED (400) for settings that the engine does not take. */
export async function buildAuth(options: BuildAuthOptions): Promise<AuthInstance> {
  const { secret, pool, log, rateLimiter, settings, baseUrl } = options;
  const config: AuthConfig = {
    ...options,
    messages: collectingMessages(options.messages),
    limit: (uses: readonly RateUse[]) => countUses(rateLimiter, uses),
  };
  try {
    const served = await buildParts(config);
    const built = served.map((each) => each.built);
    const engineOptions = authOptions(
      { ...config, pool: storingPool(pool, options.messages) },
      built,
    );
    const context = await betterAuth(engineOptions).$context;
    const sessionCookieName = context.authCookies.sessionToken.name;
    const key = { secret, cookieName: sessionCookieName };
    return {
      handle: createHandler({
        engine: createEngineHandler(context, engineOptions),
        router: buildRouter(served.map(({ part }) => part)),
        findToken: (headers) => sessionTokenOf(headers, key),
        expiredCookie: expiredCookie(sessionCookieName, baseUrl),
        cookiePrefix: cookieNamePrefix(baseUrl),
        carriedCookies: built.flatMap(({ carriedCookies = [] }) => [...carriedCookies]),
        settings,
        rateLimiter,
        pool,
        messages: options.messages,
        onWrite: options.onWrite,
        targets: {
          baseUrl,
          isTrusted: (target) => context.isTrustedOrigin(target, { allowRelativePaths: true }),
        },
        baseUrl,
        log,
      }),
      administration: createAdministration(config, (url) =>
        context.isTrustedOrigin(url, { allowRelativePaths: false }),
      ),
      sessionTokenOf: (headers) => sessionTokenOf(headers, key),
      verifySignedToken: (signed) => verifySignedToken(secret, signed),
      sessionCookieName,
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : 'the auth engine could not be built';
    throw fail('SETTINGS_REFUSED', { reason }, { cause: error });
  }
}

interface ServedPart {
  readonly part: AuthPart;
  readonly built: BuiltPart;
}

/** The parts that the settings turn on. One is built after the other, for two may load the same packages. */
async function buildParts(config: AuthConfig): Promise<readonly ServedPart[]> {
  const served: ServedPart[] = [];
  for (const part of PARTS) {
    const built = await part.build(config);
    if (built) served.push({ part, built });
  }
  return served;
}

function expiredCookie(name: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https://') ? '; Secure' : '';
  return `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
