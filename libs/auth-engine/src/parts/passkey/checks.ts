// What a ceremony must be before the engine looks at it: a response that can be read, made on a page of the
// project, by a user who may have passkeys.
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { fail } from '#libs/errors';
import { allowedOrigins, isAllowedOrigin } from '#libs/settings';
import { isRecord, parseJson } from '#libs/wire';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { currentRoute } from '../../outgoing-messages.js';
import { sessionOf } from '../session-policy/session-of.js';

type BeforeHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number];

const isRegistration = (): boolean => {
  const ceremony = currentRoute()?.ceremony;
  return ceremony === 'beginsRegistration' || ceremony === 'endsRegistration';
};
const hasResponse = (): boolean => {
  const ceremony = currentRoute()?.ceremony;
  return ceremony === 'endsRegistration' || ceremony === 'endsSignIn';
};

const base64url = /^[\w-]{1,1400}$/;
const maxClientData = 4000;
const transportName = /^[a-z-]{1,20}$/;

/**
 * Refuses responses of pages that do not belong to the project, and such that cannot be read (INVALID_INPUT).
 * The engine gets the origin of the page itself, since it would believe the header of the request.
 */
export function responseCheck(config: AuthConfig): BeforeHook {
  const isExpected = expectedOrigins(config);
  return {
    matcher: hasResponse,
    handler: hook(async (_ctx, body) => {
      const response = body?.['response'];
      const origin = originOf(response);
      if (origin === undefined) throw unusable('is no answer of an authenticator');
      if (!isExpected(origin)) throw unusable(`comes from ${origin}, which is no page of ours`);
      return { context: { headers: new Headers({ origin }) } };
    }),
  };
}

/** Refuses new passkeys for guests (PERMANENT_ACCOUNT_REQUIRED). */
export const mayRegister: BeforeHook = {
  matcher: isRegistration,
  handler: hook(async (ctx) => {
    const found = await sessionOf(ctx);
    if (found?.user['isAnonymous'] === true) throw fail('PERMANENT_ACCOUNT_REQUIRED');
  }),
};

/** Refuses names that no list could show. */
export const queryCheck: BeforeHook = {
  matcher: () => currentRoute()?.ceremony === 'beginsRegistration',
  handler: hook(async (ctx: GenericEndpointContext) => {
    const { name, context } = ctx.query ?? {};
    if ([name, context].some((text) => typeof text === 'string' && !/^[^\0]{0,200}$/s.test(text))) {
      throw fail('INVALID_INPUT', { field: 'name', reason: 'must be a short text' });
    }
  }),
};

/** Which pages may use passkeys: those of the settings, or else those of the project below the `rpId`. */
function expectedOrigins({ settings, baseUrl, trustedOrigins = [] }: AuthConfig) {
  const { rpId = '', origin: only } = settings['auth.passkey'];
  const allowed = [baseUrl, ...trustedOrigins, ...allowedOrigins(settings['auth.urls'])];
  return (origin: string): boolean => {
    if (only !== undefined) return origin === new URL(only).origin;
    if (!isAllowedOrigin(origin, allowed)) return false;
    const { hostname } = new URL(origin);
    return hostname === rpId || hostname.endsWith(`.${rpId}`);
  };
}

/** The origin of the page that asked the authenticator, in a response that can be worked with. */
function originOf(response: unknown): string | undefined {
  if (!isRecord(response) || !isName(response['id'])) return undefined;
  const inner: unknown = response['response'];
  if (!isRecord(inner) || !areTransports(inner['transports'])) return undefined;
  const clientData = parsed(inner['clientDataJSON']);
  const origin: unknown = isRecord(clientData) ? clientData['origin'] : undefined;
  return typeof origin === 'string' && /^https?:\/\/[\w.:[\]-]{1,260}$/.test(origin)
    ? origin
    : undefined;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && base64url.test(value);
}

function areTransports(value: unknown): boolean {
  if (value === undefined) return true;
  if (!Array.isArray(value) || value.length > 10) return false;
  return value.every((name) => typeof name === 'string' && transportName.test(name));
}

function parsed(encoded: unknown): unknown {
  if (typeof encoded !== 'string' || encoded.length > maxClientData) return undefined;
  return parseJson(Buffer.from(encoded, 'base64url').toString());
}

function unusable(reason: string): Error {
  return fail('INVALID_INPUT', { field: 'response', reason });
}
