// The auth engine of the operators: better-auth over the tables of migrations 0002 and 0003. It checks passwords and
// second factors and creates sessions. The operator of a session is read with a statement of our own (find-session.ts),
// and guesses are counted by us (attempts.ts).
import { createId } from '@paralleldrive/cuid2';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import { sessionTokenHashes } from '#libs/auth-engine';
import { hashInVain, verifyPassword } from '#libs/passwords';
import { maxPasswordLength } from './passwords.js';
import { addressNamed } from './stored-address.js';
import { identifierPrefixes, storedIdentifier } from './stored-identifiers.js';

export const sessionLifetimeSeconds = 7 * 24 * 3600;
const trustedDeviceSeconds = 30 * 24 * 3600;

/** Carries the client's address into the engine; the engine trusts no other header. */
export const addressHeader = 'x-rowhouse-address';

const hashedIdentifier = { hash: async (identifier: string) => storedIdentifier(identifier) };

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export type OperatorAuth = Awaited<ReturnType<typeof buildOperatorAuth>>;

/** Builds the engine over `pool`, which the caller closes. `secret` signs challenges and seals TOTP secrets. */
export async function buildOperatorAuth(pool: pg.Pool, secret: string) {
  const auth = betterAuth({
    appName: 'Rowhouse',
    // A placeholder: the engine is called in the process, never over HTTP.
    baseURL: 'http://console.invalid',
    basePath: '/auth',
    secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    database: {
      dialect: new PostgresDialect({ pool }),
      type: 'postgres',
      schemaName: 'public',
      transaction: true,
    },
    advanced: {
      database: { generateId: () => createId(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      // checkNewPassword counts the normalized password. A character is sent as up to four code units.
      maxPasswordLength: 4 * maxPasswordLength,
      password: {
        // The engine chooses no password here: it hashes one only to spend the time.
        hash: hashInVain,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
    },
    user: { modelName: 'operator', fields: { emailVerified: 'email_verified', ...timestamps } },
    session: {
      modelName: 'operator_session',
      expiresIn: sessionLifetimeSeconds,
      disableSessionRefresh: true,
      fields: {
        token: 'token_hash',
        userId: 'operator_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip',
        userAgent: 'user_agent',
        ...timestamps,
      },
    },
    account: {
      modelName: 'operator_account',
      fields: {
        userId: 'operator_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    verification: {
      modelName: 'operator_verification',
      fields: { expiresAt: 'expires_at', ...timestamps },
      storeIdentifier: {
        default: 'plain',
        overrides: {
          [identifierPrefixes.challenge]: hashedIdentifier,
          [identifierPrefixes.trustedDevice]: hashedIdentifier,
        },
      },
    },
    plugins: [sessionTokenHashes(), bearer(), secondFactor()],
    databaseHooks: {
      session: { create: { before: (session) => refuseInactive(pool, session.userId) } },
    },
  });
  const { internalAdapter } = await auth.$context;
  const findByEmail = internalAdapter.findUserByEmail.bind(internalAdapter);
  internalAdapter.findUserByEmail = (name, options) => findByEmail(addressNamed(name), options);
  return auth;
}

function secondFactor() {
  return twoFactor({
    issuer: 'Rowhouse',
    trustDeviceMaxAge: trustedDeviceSeconds,
    // Off: it counts by account alone, so that a stranger could lock an operator out; attempts.ts counts instead.
    accountLockout: { enabled: false },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'operator_two_factor',
        fields: {
          userId: 'operator_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
}

async function refuseInactive(pool: pg.Pool, operatorId: string): Promise<void> {
  const { rowCount } = await pool.query(
    "select from operator where id = $1 and status = 'active'",
    [operatorId],
  );
  if (rowCount === 0) throw APIError.from('FORBIDDEN', inactive);
}

const inactive = { code: 'USER_INACTIVE', message: 'This account is not active' } as const;
