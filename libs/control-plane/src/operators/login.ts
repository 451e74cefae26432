import type { ControlPlane } from '../control-plane.js';
import { accountKey, addressKey, countAttempt, forgiveAttempt } from './attempts.js';
import { authHeaders, callAuth, type Visitor } from './auth-call.js';
import { labelTrustedDevice } from './trusted-devices.js';
import { sweepExpired } from './sweep-expired.js';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  /** What an earlier second factor returned for this device. */
  readonly trustToken?: string | undefined;
}

export interface LoginResult {
  /** A session token or, when `twoFactor` is true, a challenge that only the second factor accepts. */
  readonly token: string;
  readonly twoFactor: boolean;
  readonly mustChangePassword: boolean;
  /** Replaces the trust token that was shown. */
  readonly trustToken?: string;
}

/**
 * Checks e-mail address and password.
 * Throws INVALID_CREDENTIALS alike for an unknown address and a wrong password, ACCOUNT_LOCKED after
 * too many failures, USER_INACTIVE for a disabled operator who knows the password.
 */
export async function login(
  controlPlane: ControlPlane,
  input: LoginInput,
  visitor: Visitor,
): Promise<LoginResult> {
  const { auth, dataSource } = controlPlane;
  const email = input.email.trim().toLowerCase();
  const keys = [accountKey(email), addressKey(visitor.ip)];
  await countAttempt(dataSource, keys);
  const reply = await callAuth(() =>
    auth.api.signInEmail({
      body: { email, password: input.password },
      headers: authHeaders(visitor, { trustedDevice: input.trustToken }),
      returnHeaders: true,
    }),
  );
  // The challenge comes first: beside it the engine names a session that it has ended already.
  const token = reply.challenge ?? reply.session;
  if (token === undefined) throw new Error('The auth engine answered a login without a token');
  await forgiveAttempt(dataSource, keys);
  await sweepExpired(dataSource);
  await labelTrustedDevice(dataSource, reply.trustedDevice, visitor);
  const rows: { mustChangePassword: boolean }[] = await dataSource.query(
    'select must_change_password as "mustChangePassword" from operator where email = $1',
    [email],
  );
  return {
    token,
    twoFactor: reply.challenge !== undefined,
    mustChangePassword: rows[0]?.mustChangePassword === true,
    ...(reply.trustedDevice !== undefined && { trustToken: reply.trustedDevice }),
  };
}
