// Calls into the auth engine. It returns challenges, trusted devices and new sessions as cookies only; here they are
// converted to plain tokens and back, because the console's clients send bearer tokens.
import { type AppError, type ErrorCode, fail } from '#libs/errors';
import { COOKIE_NAMES, cookiePrefix } from '#libs/wire';
import { APIError } from 'better-auth/api';
import { addressHeader } from './operator-auth.js';

/** The origin of a request. */
export interface Visitor {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** The credentials of a caller. */
export interface ShownTokens {
  readonly session?: string | undefined;
  readonly challenge?: string | undefined;
  readonly trustedDevice?: string | undefined;
}

/** The engine's answer with the tokens that it set. */
export interface AuthReply<T> {
  readonly body: T;
  readonly session: string | undefined;
  readonly challenge: string | undefined;
  readonly trustedDevice: string | undefined;
}

const cookieName = {
  session: `${cookiePrefix}.${COOKIE_NAMES.session}`,
  challenge: `${cookiePrefix}.${COOKIE_NAMES.challenge}`,
  trustedDevice: `${cookiePrefix}.${COOKIE_NAMES.trustedDevice}`,
} as const;

/** Returns the headers that pass `tokens` to the engine. */
export function authHeaders(visitor: Visitor, tokens: ShownTokens): Headers {
  const headers = new Headers({ [addressHeader]: visitor.ip });
  if (visitor.userAgent !== undefined) headers.set('user-agent', visitor.userAgent);
  if (tokens.session !== undefined) headers.set('authorization', `Bearer ${tokens.session}`);
  const cookies = (['challenge', 'trustedDevice'] as const).flatMap((kind) => {
    const token = tokens[kind];
    return token === undefined ? [] : [`${cookieName[kind]}=${encodeURIComponent(token)}`];
  });
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  return headers;
}

/** Runs a call of the engine. Its refusals become errors of our table; everything else is rethrown. */
export async function callAuth<T>(
  call: () => Promise<{ readonly headers: Headers; readonly response: T }>,
): Promise<AuthReply<T>> {
  try {
    const { headers, response } = await call();
    const tokens = tokensOf(headers.getSetCookie());
    return {
      body: response,
      // The cookie is signed; the token is the part before the signature.
      session: tokens.get(cookieName.session)?.split('.')[0],
      challenge: tokens.get(cookieName.challenge),
      trustedDevice: tokens.get(cookieName.trustedDevice),
    };
  } catch (error) {
    throw error instanceof APIError ? refusal(error) : error;
  }
}

function tokensOf(setCookies: readonly string[]): ReadonlyMap<string, string> {
  const pairs = setCookies.flatMap((cookie): [string, string][] => {
    const match = /^([^=]+)=([^;]+)/.exec(cookie);
    return match?.[1] && match[2] ? [[match[1], decodeURIComponent(match[2])]] : [];
  });
  return new Map(pairs);
}

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'INVALID_CREDENTIALS',
  INVALID_EMAIL: 'INVALID_CREDENTIALS',
  PASSWORD_TOO_LONG: 'INVALID_CREDENTIALS',
  INVALID_PASSWORD: 'WRONG_PASSWORD',
  USER_INACTIVE: 'USER_INACTIVE',
  UNAUTHORIZED: 'UNAUTHORIZED',
  INVALID_TWO_FACTOR_COOKIE: 'UNAUTHORIZED',
  INVALID_CODE: 'INVALID_CODE',
  INVALID_BACKUP_CODE: 'INVALID_CODE',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'UNAUTHORIZED',
  ACCOUNT_TEMPORARILY_LOCKED: 'ACCOUNT_LOCKED',
  TOTP_ALREADY_ENABLED: 'SECOND_FACTOR_ENABLED',
  TOTP_NOT_ENABLED: 'SECOND_FACTOR_NOT_ENABLED',
  TWO_FACTOR_NOT_ENABLED: 'SECOND_FACTOR_NOT_ENABLED',
  BACKUP_CODES_NOT_ENABLED: 'SECOND_FACTOR_NOT_ENABLED',
};

function refusal(error: APIError): AppError {
  const code = REFUSALS[error.body?.code ?? ''] ?? 'INTERNAL_ERROR';
  return fail(code, {}, { cause: error });
}
