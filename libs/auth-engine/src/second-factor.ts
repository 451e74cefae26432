// The second factor guards more than the sign-in with a password. A session that was opened another way is of
// the level `aal1`. Where a user has a second factor, such a session cannot change how the account is opened,
// make keys of it, or delete it, until a code raises it to `aal2`.
import { fail } from '#libs/errors';
import type { AuthConfig } from './auth-config.js';

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
  // While the group is off no user can give a factor.
  if (!settings['auth.twoFactor'].enabled) return;
  if (user['twoFactorEnabled'] === true && session['aal'] !== 'aal2') throw fail('AAL2_REQUIRED');
}
