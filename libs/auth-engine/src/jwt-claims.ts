import type { ServerClaim } from '#libs/wire';

type Row = Readonly<Record<string, unknown>>;
type Claims = Readonly<Partial<Record<ServerClaim | 'app_metadata' | 'user_metadata', unknown>>>;

/**
 * The claims of a JWT for a session: the same words that policies read in SQL, which
 * the function auth.keep_claims writes (migrations/project/0010_kept_claims.sql, 0040_second_factor_claim.sql).
 */
export function jwtClaims({
  user,
  session,
}: {
  readonly user: Row;
  readonly session: Row;
}): Claims {
  return {
    sub: user['id'],
    role: 'authenticated',
    user_role: user['role'],
    email: user['email'],
    aal: session['aal'],
    is_anonymous: user['isAnonymous'] === true,
    session_id: session['id'],
    ...(user['twoFactorEnabled'] === true && { has_second_factor: true }),
    app_metadata: user['app_metadata'],
    user_metadata: user['user_metadata'],
  };
}
