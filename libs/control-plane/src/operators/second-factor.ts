// Enrolment of the second factor (TOTP, RFC 6238) by a signed-in operator. Each step requires the current password
// again: an open session is not enough to change how its owner signs in.
import type { DataSource } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import type { Authority } from '../audit/actor.js';
import { countAttempt, forgiveAttempt, sessionKey } from './attempts.js';
import { authHeaders, callAuth, type Visitor } from './auth-call.js';
import { forgetTrustedDevices } from './trusted-devices.js';

/** A request of an operator about their own account. */
export interface OwnRequest extends Visitor {
  readonly operatorId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly authority?: Authority | undefined;
  /** The session token. */
  readonly token: string;
}

export interface Enrolment {
  readonly totpURI: string;
  /** The key in the URI, to be typed if a QR code cannot be scanned. */
  readonly secret: string;
  /** Shown once. */
  readonly backupCodes: readonly string[];
}

/** Begins an enrolment, which the first code confirms. Throws WRONG_PASSWORD, SECOND_FACTOR_ENABLED. */
export async function enableSecondFactor(
  { auth, dataSource }: ControlPlane,
  request: OwnRequest,
  password: string,
): Promise<Enrolment> {
  const { body } = await guarded(dataSource, request.sessionId, () =>
    callAuth(() =>
      auth.api.enableTwoFactor({
        body: { password, method: 'totp' },
        headers: authHeaders(request, { session: request.token }),
        returnHeaders: true,
      }),
    ),
  );
  if (body.method !== 'totp') throw new Error('The auth engine enrolled another method than TOTP');
  const secret = new URL(body.totpURI).searchParams.get('secret') ?? '';
  return { totpURI: body.totpURI, secret, backupCodes: body.backupCodes };
}

/**
 * Removes the second factor and all trusted devices. The session continues under the returned token. Throws
 * WRONG_PASSWORD.
 */
export async function disableSecondFactor(
  { auth, dataSource }: ControlPlane,
  request: OwnRequest,
  password: string,
): Promise<{ readonly token: string }> {
  const { session } = await guarded(dataSource, request.sessionId, () =>
    callAuth(() =>
      auth.api.disableTwoFactor({
        body: { password },
        headers: authHeaders(request, { session: request.token }),
        returnHeaders: true,
      }),
    ),
  );
  await dataSource.transaction(async (manager) => {
    await forgetTrustedDevices(manager, request.operatorId);
    await recordAudit(manager, {
      actor: doneBy(request),
      action: 'operator.second-factor.disable',
      target: request.operatorId,
    });
  });
  return { token: session ?? request.token };
}

/** Replaces all backup codes. Throws WRONG_PASSWORD, SECOND_FACTOR_NOT_ENABLED. */
export async function replaceBackupCodes(
  { auth, dataSource }: ControlPlane,
  request: OwnRequest,
  password: string,
): Promise<{ readonly backupCodes: readonly string[] }> {
  const { body } = await guarded(dataSource, request.sessionId, () =>
    callAuth(() =>
      auth.api.generateBackupCodes({
        body: { password },
        headers: authHeaders(request, { session: request.token }),
        returnHeaders: true,
      }),
    ),
  );
  await recordAudit(dataSource.manager, {
    actor: doneBy(request),
    action: 'operator.backup-codes.replace',
    target: request.operatorId,
  });
  return { backupCodes: body.backupCodes };
}

/** Runs a check of the operator's password, and counts it as a guess of the session unless it succeeds. */
async function guarded<T>(
  dataSource: DataSource,
  sessionId: string,
  check: () => Promise<T>,
): Promise<T> {
  const keys = [sessionKey(sessionId)];
  await countAttempt(dataSource, keys);
  const result = await check();
  await forgiveAttempt(dataSource, keys);
  return result;
}

/** The actor of a change that the engine has already made and checked. */
function doneBy({ authority: _checked, ...request }: OwnRequest): OwnRequest {
  return request;
}
