import { randomUUID } from 'node:crypto';
import { createId } from '@paralleldrive/cuid2';
import type { BetterAuthOptions } from 'better-auth';
import { bearer, jwt } from 'better-auth/plugins';
import { PostgresDialect } from 'kysely';
import { allowedOrigins, type Settings } from '#libs/settings';
import { violates } from './auth-errors.js';
import type { EnginePool } from './engine-pool.js';
import { jwtClaims, jwtLifetime } from './jwt-claims.js';
import { hashPassword, verifyPassword } from './passwords.js';
import { platformPlugin } from './platform-plugin.js';
import { basePath } from './routes.js';
import { jwtAlgorithm, storeFirstKey } from './signing-keys.js';
import { randomUsername } from './usernames.js';

/** The settings groups that the auth engine is built from. */
export type AuthSettings = Pick<
  Settings,
  | 'auth.methods.emailPassword'
  | 'auth.urls'
  | 'auth.sessions'
  | 'auth.signup'
  | 'security.rateLimit'
>;

/** One line of the engine's log. Carries no secret and no address of a user. */
export interface AuthLogEntry {
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** The failure behind it; may name tables and columns, never goes to the caller. */
  readonly cause?: unknown;
}

export interface AuthConfig {
  readonly settings: AuthSettings;
  /** Signs session cookies; at least 32 random characters, one per project. */
  readonly secret: string;
  /** Where the project is reached, such as `https://abc.example.com`. Never taken from a request. */
  readonly baseUrl: string;
  /** Origins that belong to the project besides `baseUrl` and the ones of `auth.urls`. */
  readonly trustedOrigins?: readonly string[];
  readonly pool: EnginePool;
  readonly idType: 'text' | 'uuid';
  readonly log: (entry: AuthLogEntry) => void;
  readonly generateUsername?: () => string;
}

/** The header in which the engine finds the client's address; whatever a client sends in it is removed. */
export const addressHeader = 'x-internal-ip';

/** The engine's options for a project. */
export function authOptions(config: AuthConfig): BetterAuthOptions {
  const { settings, baseUrl, pool, idType } = config;
  const password = settings['auth.methods.emailPassword'];
  const { expiresIn, updateAge, freshAge } = settings['auth.sessions'];
  return {
    appName: 'Rowhouse',
    secret: config.secret,
    baseURL: baseUrl,
    basePath,
    trustedOrigins: [...allowedOrigins(settings['auth.urls']), ...(config.trustedOrigins ?? [])],
    database: {
      dialect: new PostgresDialect({ pool }),
      type: 'postgres',
      schemaName: 'auth',
      transaction: true,
    },
    emailAndPassword: {
      enabled: password.enabled,
      minPasswordLength: password.minPasswordLength,
      maxPasswordLength: password.maxPasswordLength,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: hashPassword,
        verify: (given) => verifyPassword(given.hash, given.password),
      },
    },
    session: { expiresIn, updateAge, freshAge, additionalFields: { aal: ownField('string') } },
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
      useSecureCookies: baseUrl.startsWith('https://'),
      // Without a value the engine skips this check where it believes to be tested.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: {
        generateId: idType === 'uuid' ? () => randomUUID() : () => createId(),
        validateSchema: false,
      },
    },
    plugins: [
      platformPlugin({
        signup: settings['auth.signup'],
        generateUsername: config.generateUsername ?? randomUsername,
      }),
      bearer(),
      jwt({
        disableSettingJwtHeader: true,
        jwks: { disablePrivateKeyEncryption: true, keyPairConfig: { alg: jwtAlgorithm } },
        adapter: { createJwk: (pair) => storeFirstKey(pool, pair) },
        jwt: {
          issuer: baseUrl,
          audience: 'authenticated',
          expirationTime: jwtLifetime,
          definePayload: jwtClaims,
        },
      }),
    ],
  };
}

const UNIQUE_USER_VALUES = ['user_email_key', 'user_username_key'] as const;

/** A field that the database fills and no request may set. */
function ownField<const T extends 'string' | 'boolean' | 'json'>(type: T) {
  return { type, required: false, input: false } as const;
}

function logLine(log: AuthConfig['log']): NonNullable<BetterAuthOptions['logger']>['log'] {
  return (level, message, ...details: readonly unknown[]) => {
    const cause = details.find((detail) => detail instanceof Error);
    // Two sign-ups that want the same value at the same moment are no failure of ours.
    if (UNIQUE_USER_VALUES.some((constraint) => violates(cause, constraint))) return;
    log({ level: level === 'error' ? 'error' : 'warn', message, ...(cause && { cause }) });
  };
}
