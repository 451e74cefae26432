import type { BetterAuthOptions } from 'better-auth';
import { PostgresDialect } from 'kysely';
import { allowedOrigins } from '#libs/settings';
import { authPath } from '#libs/wire';
import { addressHeader, type AuthConfig } from './auth-config.js';
import { violates } from './auth-errors.js';
import type { BuiltPart, PartEngineOptions } from './part.js';
import { cookieNameStart, isSecure } from './session-cookie.js';
import { sessionTokenHashes } from './session-token-hashes.js';
import { newRowId, newUserId } from './user-ids.js';

/** The engine's options for a project, with what its parts need. */
export function authOptions(config: AuthConfig, parts: readonly BuiltPart[]): BetterAuthOptions {
  const { settings, baseUrl, pool, idType } = config;
  const { expiresIn, updateAge, freshAge } = settings['auth.sessions'];
  return {
    appName: 'Rowhouse',
    secret: config.secret,
    baseURL: baseUrl,
    basePath: authPath,
    trustedOrigins: [...allowedOrigins(settings['auth.urls']), ...(config.trustedOrigins ?? [])],
    database: {
      dialect: new PostgresDialect({ pool }),
      type: 'postgres',
      schemaName: 'auth',
      transaction: true,
    },
    ...mergedOptions(parts),
    session: {
      expiresIn,
      updateAge,
      freshAge,
      fields: { token: 'tokenHash' },
      additionalFields: { aal: ownField('string') },
    },
    // Identifiers hold the tokens of links and the states of redirects.
    verification: { storeIdentifier: 'hashed' },
    user: {
      additionalFields: {
        username: { type: 'string', required: false },
        role: ownField('string'),
        status: ownField('string'),
        isAnonymous: ownField('boolean'),
        app_metadata: ownField('json'),
        user_metadata: ownField('json'),
      },
      changeEmail: { enabled: false },
    },
    // The engine's own limiter counts for all projects together; requests are counted before they reach it.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Failures come out as exceptions, so that they are rendered and logged in one place.
    onAPIError: { throw: true },
    logger: { level: 'error', log: logLine(config.log) },
    advanced: {
      // The engine's own prefix for secure cookies is the weaker `__Secure-`.
      useSecureCookies: false,
      cookiePrefix: cookieNameStart(baseUrl),
      defaultCookieAttributes: { secure: isSecure(baseUrl) },
      // Without a value the engine skips this check where it believes to be tested.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: {
        generateId: ({ model }) => (model === 'user' ? newUserId(idType) : newRowId(idType)),
        validateSchema: false,
      },
    },
    plugins: [sessionTokenHashes(), ...parts.flatMap(({ plugins = [] }) => [...plugins])],
  };
}

const UNIQUE_USER_VALUES = ['user_email_key', 'user_username_key'] as const;

/** The options of all parts together. Throws when two parts set the same one. */
function mergedOptions(parts: readonly BuiltPart[]): PartEngineOptions {
  const merged: Record<string, unknown> = {};
  for (const { options = {} } of parts) {
    for (const [name, value] of Object.entries(options)) {
      if (Object.hasOwn(merged, name)) throw new Error(`two parts set the engine's ${name}`);
      merged[name] = value;
    }
  }
  return merged;
}

/** A field that the database fills and no request may set. */
function ownField<const T extends 'string' | 'boolean' | 'json'>(type: T) {
  return { type, required: false, input: false } as const;
}

function logLine(log: AuthConfig['log']): NonNullable<BetterAuthOptions['logger']>['log'] {
  return (level, message, ...details: readonly unknown[]) => {
    const cause = details.find((detail) => detail instanceof Error);
    // Two sign-ups that want the same value at the same moment are no failure of ours.
    if (UNIQUE_USER_VALUES.some((constraint) => violates(cause, constraint))) return;
    // Without an error it is about a request that was refused, which is the caller's mistake.
    const isFailure = level === 'error' && cause !== undefined;
    log({ level: isFailure ? 'error' : 'warn', message, ...(cause && { cause }) });
  };
}
