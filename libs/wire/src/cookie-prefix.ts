/** The start of the names of the auth engine's cookies: of accounts and of operators. `__Host-` may come before it. */
export const cookiePrefix = 'better-auth';

/** The names of the auth engine's cookies after that prefix and a dot: `better-auth.session_token`. */
export const COOKIE_NAMES = {
  session: 'session_token',
  challenge: 'two_factor',
  trustedDevice: 'trust_device',
} as const;
