/** The start of the names of the auth engine's cookies: of accounts and of operators. `__Host-` may come before it. */
export const cookiePrefix = 'better-auth';
