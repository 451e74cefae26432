// Verification of a second factor: against the challenge of a login, or within a session to confirm an enrolment. The
// engine would accept a TOTP code again while it is current; here each code works once.
import { AppError, fail } from '#libs/errors';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { DataSource } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import { codeKeys, countAttempt, forgiveAttempt } from './attempts.js';
import { authHeaders, callAuth, type AuthReply, type Visitor } from './auth-call.js';
import { findSession } from './find-session.js';
import { underOnePassword } from './one-password.js';
import { noteSignIn } from './note-sign-in.js';
import { recognise } from './recognise.js';
import { revokeOtherSessions } from './sessions.js';
import { identifierPrefixes, storedIdentifier } from './stored-identifiers.js';
import { labelTrustedDevice } from './trusted-devices.js';

export interface CodeInput {
  readonly kind: 'totp' | 'backup-code';
  /** A challenge, or a session token to confirm an enrolment. */
  readonly token: string;
  readonly code: string;
  /** Makes later logins from this device skip the second factor. */
  readonly trustDevice: boolean;
}

export interface VerifiedCode {
  readonly token: string;
  readonly mustChangePassword: boolean;
  readonly trustToken?: string;
}

/** The operator whose code is verified. */
interface CodeOwner {
  readonly shownAs: 'challenge' | 'session';
  readonly operatorId: string;
  readonly email: string;
  readonly mustChangePassword: boolean;
  readonly twoFactorEnabled: boolean;
}

/** Whether a token is the challenge of a login, which only permits the second factor. */
export const isChallenge = (token: string): boolean =>
  token.startsWith(identifierPrefixes.challenge);

/**
 * Returns the session for a correct code: a new session for a login, the continued session for an enrolment. Throws
 * UNAUTHORIZED for a challenge that is unknown, expired or used up, INVALID_CODE for a wrong or used code,
 * ACCOUNT_LOCKED after too many attempts.
 */
export async function verifyCode(
  controlPlane: ControlPlane,
  input: CodeInput,
  visitor: Visitor & { readonly requestId: string },
): Promise<VerifiedCode> {
  const { dataSource } = controlPlane;
  const owner = await findOwner(dataSource, input.token);
  const mayTry =
    owner?.shownAs === 'challenge' ||
    (owner?.mustChangePassword === false && input.kind === 'totp');
  if (owner === undefined || !mayTry) throw fail('UNAUTHORIZED');
  const code = input.code.replaceAll(' ', '');
  const { isKnownNetwork } = await recognise(dataSource, { email: owner.email, ip: visitor.ip });
  const keys = codeKeys(owner.operatorId, { ip: visitor.ip, isKnownNetwork });
  await countAttempt(dataSource, keys);
  if (input.kind === 'totp') await claimCode(dataSource, owner.operatorId, code);
  const reply = await underOnePassword(dataSource, owner.email, () =>
    check(controlPlane, { ...input, code }, { owner, visitor }),
  );
  await forgiveAttempt(dataSource, keys);
  await labelTrustedDevice(dataSource, reply.trustedDevice, visitor);
  if (owner.shownAs === 'challenge') await noteSignIn(dataSource, owner.email);
  const token = reply.session ?? input.token;
  if (!owner.twoFactorEnabled) await finishEnrolment(dataSource, owner, { token, visitor });
  return {
    token,
    mustChangePassword: owner.mustChangePassword,
    ...(reply.trustedDevice !== undefined && { trustToken: reply.trustedDevice }),
  };
}

async function findOwner(dataSource: DataSource, token: string): Promise<CodeOwner | undefined> {
  if (!isChallenge(token)) {
    const session = await findSession(dataSource, token);
    return session && { shownAs: 'session', ...session };
  }
  // The engine checks the signature after the dot; the random identifier before it is looked up.
  const owners: CodeOwner[] = await dataSource.query(
    `select 'challenge' as "shownAs", o.id as "operatorId", o.email,
            o.must_change_password as "mustChangePassword",
            o.two_factor_enabled as "twoFactorEnabled"
     from operator_verification v join operator o on o.id = v.value
     where v.identifier = $1 and v.expires_at > pg_catalog.now()`,
    [storedIdentifier(token.split('.')[0] ?? '')],
  );
  return owners[0];
}

/** Throws INVALID_CODE if this code was used while it could still be current (90 seconds). */
async function claimCode(dataSource: DataSource, operatorId: string, code: string): Promise<void> {
  const claimed: unknown[] = await dataSource.query(
    `insert into operator_tried_code as tried (operator_id, code) values ($1, $2)
     on conflict (operator_id, code) do update set tried_at = pg_catalog.now()
       where tried.tried_at < pg_catalog.now() - interval '2 minutes'
     returning code`,
    [operatorId, code],
  );
  if (claimed.length === 0) throw fail('INVALID_CODE');
}

async function check(
  { auth, dataSource }: ControlPlane,
  input: CodeInput,
  { owner, visitor }: { readonly owner: CodeOwner; readonly visitor: Visitor },
): Promise<AuthReply<unknown>> {
  const call = {
    body: { code: input.code, trustDevice: input.trustDevice },
    headers: authHeaders(visitor, { [owner.shownAs]: input.token }),
    returnHeaders: true,
  } as const;
  try {
    return await callAuth<unknown>(() =>
      input.kind === 'totp' ? auth.api.verifyTOTP(call) : auth.api.verifyBackupCode(call),
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { secretConfig: key } = await auth.$context;
    const column = input.kind === 'totp' ? 'secret' : 'backup_codes';
    const [factor]: { sealed: string }[] = await dataSource.query(
      `select ${column} as sealed from operator_two_factor where operator_id = $1`,
      [owner.operatorId],
    );
    await symmetricDecrypt({ key, data: factor?.sealed ?? '' }).catch(() => {
      const message = `operator_two_factor.${column} of the operator ${owner.operatorId} cannot be opened`;
      throw fail('SECOND_FACTOR_UNREADABLE', {}, { cause: new Error(message, { cause: error }) });
    });
    throw error;
  }
}

/** Ends the sessions that were opened without the second factor. */
async function finishEnrolment(
  dataSource: DataSource,
  owner: CodeOwner,
  {
    token,
    visitor,
  }: { readonly token: string; readonly visitor: Visitor & { readonly requestId: string } },
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    await revokeOtherSessions(manager, owner.operatorId, token);
    await recordAudit(manager, {
      actor: { ...visitor, operatorId: owner.operatorId, email: owner.email },
      action: 'operator.second-factor.enable',
      target: owner.operatorId,
    });
  });
}
