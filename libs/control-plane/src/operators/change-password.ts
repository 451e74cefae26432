import { fail } from '#libs/errors';
import { hashPassword, normalizePassword, verifyPassword } from '#libs/passwords';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import { lockOperators, requireAuthority } from './authority.js';
import { countAttempt, forgiveAttempt, sessionKey } from './attempts.js';
import { checkNewPassword } from './passwords.js';
import type { OwnRequest } from './second-factor.js';
import { revokeChallenges, revokeOtherSessions } from './sessions.js';

/**
 * Gives the operator a new password and ends all other sessions and trusted devices. Throws WRONG_PASSWORD,
 * ACCOUNT_LOCKED after too many wrong passwords, INVALID_INPUT for a new password that is too short or unchanged.
 */
export async function changePassword(
  { dataSource }: ControlPlane,
  request: OwnRequest,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<void> {
  const field = 'newPassword';
  checkNewPassword(field, input.newPassword);
  const keys = [sessionKey(request.sessionId)];
  await countAttempt(dataSource, keys);
  const hash = await storedHash(dataSource.manager, request.operatorId);
  const isRight = hash !== undefined && (await verifyPassword(hash, input.currentPassword));
  if (!isRight) throw fail('WRONG_PASSWORD');
  await forgiveAttempt(dataSource, keys);
  if (normalizePassword(input.newPassword) === normalizePassword(input.currentPassword)) {
    throw fail('INVALID_INPUT', { field, reason: 'it must differ from the current password' });
  }
  const passwordHash = await hashPassword(input.newPassword);
  await dataSource.transaction(async (manager) => {
    await lockOperators(manager, [request.operatorId]);
    const actor = await requireAuthority(manager, request);
    // Another change or a reset may have replaced the password that was checked.
    if ((await storedHash(manager, request.operatorId)) !== hash) throw fail('WRONG_PASSWORD');
    await writePassword(manager, request.operatorId, { passwordHash, mustChange: false });
    await revokeOtherSessions(manager, request.operatorId, request.token);
    await revokeChallenges(manager, request.operatorId);
    await recordAudit(manager, {
      actor,
      action: 'operator.password.change',
      target: request.operatorId,
    });
  });
}

async function storedHash(manager: EntityManager, operatorId: string): Promise<string | undefined> {
  const accounts: { password: string }[] = await manager.query(
    `select password from operator_account where operator_id = $1 and provider_id = 'credential'`,
    [operatorId],
  );
  return accounts[0]?.password;
}

/** Stores a password hash, and whether the operator must replace the password at the next login. */
export async function writePassword(
  manager: EntityManager,
  operatorId: string,
  { passwordHash, mustChange }: { readonly passwordHash: string; readonly mustChange: boolean },
): Promise<void> {
  await manager.query(
    `update operator_account set password = $2, updated_at = pg_catalog.now()
     where operator_id = $1 and provider_id = 'credential'`,
    [operatorId, passwordHash],
  );
  await manager.query(
    'update operator set must_change_password = $2, updated_at = pg_catalog.now() where id = $1',
    [operatorId, mustChange],
  );
}
