// The second factor guards more than the sign-in with a password. A session that was opened another way is of
// the level `aal1`. Where a user has a second factor, such a session cannot change how the account is opened,
// make keys of it, or delete it, until a code raises it to `aal2`.
import { fail } from '#libs/errors';
import { hook } from './endpoint.js';
import type { AuthConfig } from './auth-config.js';
import type { BeforeHook } from './body-rules.js';
import { sessionOf } from './parts/session-policy/session-of.js';

type Row = Readonly<Record<string, unknown>>;

interface SignedIn {
  readonly user: Row;
  readonly session: Row;
}

/** Throws AAL2_REQUIRED when the user has a second factor and this session has not given it. */
export function requireSecondFactor(
  { settings }: Pick<AuthConfig, 'settings'>,
  { user, session }: SignedIn,
): void {
  // While the group is off nobody can give a factor.
  if (!settings['auth.twoFactor'].enabled) return;
  if (user['twoFactorEnabled'] === true && session['aal'] !== 'aal2') throw fail('AAL2_REQUIRED');
}

/** A hook that requires the second factor on `paths`. Requests without a session are left to the endpoints. */
export function secondFactorGate(config: AuthConfig, paths: readonly string[]): BeforeHook {
  return {
    matcher: ({ path = '' }) => paths.includes(path),
    handler: hook(async (ctx) => {
      const found = await sessionOf(ctx);
      if (!found) return;
      requireSecondFactor(config, found);
    }),
  };
}
