import { fail } from '#libs/errors';
import type { ControlPlane } from '../control-plane.js';
import { countAttempt, forgiveAttempt, loginKeys } from './attempts.js';
import { authHeaders, callAuth, type Visitor } from './auth-call.js';
import { underOnePassword } from './one-password.js';
import { recognise } from './recognise.js';
import { noteSignIn } from './note-sign-in.js';
import { renewHash } from './renew-hash.js';
import { labelTrustedDevice } from './trusted-devices.js';
import { engineName, isAddressLike, storedAddress } from './stored-address.js';
import { sweepExpired } from './sweep-expired.js';

export interface LoginInput {
  readonly email: string;
  readonly password: string;
  /** The token that an earlier second factor returned for this device. */
  readonly trustToken?: string | undefined;
}

export interface LoginResult {
  /** A session token or, if `twoFactor` is true, a challenge that only the second factor accepts. */
  readonly token: string;
  readonly twoFactor: boolean;
  readonly mustChangePassword: boolean;
  /** Replaces the trust token of the request. */
  readonly trustToken?: string;
}

/**
 * Checks the stored email address, whatever its form, and the password. Throws INVALID_CREDENTIALS for a wrong
 * password, an unknown address, and a text that is not an address, ACCOUNT_LOCKED after too many failures from this
 * network or, for a stranger, from all strange ones (attempts.ts), USER_INACTIVE for a disabled operator with the right
 * password.
 */
export async function login(
  controlPlane: ControlPlane,
  input: LoginInput,
  visitor: Visitor,
): Promise<LoginResult> {
  const { auth, dataSource } = controlPlane;
  if (!isAddressLike(input.email.trim())) throw fail('INVALID_CREDENTIALS');
  const email = await storedAddress(dataSource, input.email);
  const { trustToken } = input;
  const known = await recognise(dataSource, { email, ip: visitor.ip, trustToken });
  const keys = loginKeys(email, { ...known, ip: visitor.ip });
  await countAttempt(dataSource, keys);
  const reply = await underOnePassword(dataSource, email, () =>
    callAuth(() =>
      auth.api.signInEmail({
        body: { email: engineName(email), password: input.password },
        headers: authHeaders(visitor, { trustedDevice: trustToken }),
        returnHeaders: true,
      }),
    ),
  );
  // The challenge first: the engine also returns a session that it has already ended.
  const token = reply.challenge ?? reply.session;
  if (token === undefined) throw new Error('The auth engine answered a login without a token');
  await renewHash(dataSource, email, input.password);
  await forgiveAttempt(dataSource, keys);
  await sweepExpired(dataSource);
  await labelTrustedDevice(dataSource, reply.trustedDevice, visitor);
  if (reply.challenge === undefined) await noteSignIn(dataSource, email);
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
