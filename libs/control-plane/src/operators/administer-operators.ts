// How an administrator of the deployment manages the accounts of operators.
import { fail } from '#libs/errors';
import { hashPassword } from '#libs/passwords';
import { type DataSource, type EntityManager, MoreThan } from 'typeorm';
import { recordAudit, type AuditActor } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import { Operator } from '../entities/operator.entity.js';
import { keyIn, type Page, pageOf, type PageQuery } from '../pages.js';
import { forgiveAccount } from './attempts.js';
import { lockOperators, operatorOf, requireAuthority } from './authority.js';
import { writePassword } from './change-password.js';
import type { OperatorActor } from './operator-actor.js';
import { generatePassword } from './passwords.js';
import { revokeEverything } from './sessions.js';

export interface OperatorChanges {
  readonly isDeploymentAdmin?: boolean | undefined;
  readonly status?: Operator['status'] | undefined;
}

export interface OperatorPage extends Page<Operator> {
  /** Of all pages. */
  readonly total: number;
}

/** Returns a page of all operators, by email address. */
export async function listOperators(
  { manager }: DataSource,
  { after, limit }: PageQuery,
): Promise<OperatorPage> {
  const [email] = keyIn(after, { field: 'after', length: 1 }) ?? [];
  const found = await manager.find(Operator, {
    ...(email !== undefined && { where: { email: MoreThan(email) } }),
    order: { email: 'ASC' },
    take: limit + 1,
  });
  const total = await manager.count(Operator);
  return { ...pageOf(found, limit, (operator) => [operator.email]), total };
}

/**
 * Changes the state and the rights of an operator. A disabled operator loses all sessions at once. Throws
 * OPERATOR_NOT_FOUND, and LAST_DEPLOYMENT_ADMIN rather than leave a deployment without an administrator.
 */
export async function updateOperator(
  { dataSource }: ControlPlane,
  actor: OperatorActor,
  { id, changes }: { readonly id: string; readonly changes: OperatorChanges },
): Promise<Operator> {
  return dataSource.transaction(async (manager) => {
    await lockOperators(manager, [...(await listAdministrators(manager)), id, actor.operatorId]);
    const checked = await requireAuthority(manager, actor);
    const admins = await listAdministrators(manager);
    const before = await getOperator(manager, id);
    const after = manager.create(Operator, {
      ...before,
      status: changes.status ?? before.status,
      isDeploymentAdmin: changes.isDeploymentAdmin ?? before.isDeploymentAdmin,
    });
    const staysAdministrator = after.isDeploymentAdmin && after.status === 'active';
    if (!staysAdministrator && admins.length === 1 && admins[0] === id) {
      throw fail('LAST_DEPLOYMENT_ADMIN');
    }
    const { status, isDeploymentAdmin } = after;
    await manager.update(Operator, { id }, { status, isDeploymentAdmin });
    if (status === 'disabled') await revokeEverything(manager, id);
    await recordAudit(manager, {
      actor: checked,
      action: 'operator.update',
      target: id,
      before: { status: before.status, isDeploymentAdmin: before.isDeploymentAdmin },
      after: { status, isDeploymentAdmin },
    });
    return after;
  });
}

/**
 * Gives an operator a password for one login, returned once, and ends all their sessions and devices.
 * `removeSecondFactor` is for an operator who has lost both the authenticator and the backup codes. Throws
 * OPERATOR_NOT_FOUND.
 */
export async function resetOperator(
  dataSource: DataSource,
  actor: AuditActor,
  { id, removeSecondFactor }: { readonly id: string; readonly removeSecondFactor: boolean },
): Promise<{ readonly email: string; readonly generatedPassword: string }> {
  const { email } = await getOperator(dataSource.manager, id);
  const generatedPassword = generatePassword();
  const passwordHash = await hashPassword(generatedPassword);
  await dataSource.transaction(async (manager) => {
    await lockOperators(manager, [id, operatorOf(actor)]);
    const checked = await requireAuthority(manager, actor);
    await writePassword(manager, id, { passwordHash, mustChange: true });
    await revokeEverything(manager, id);
    if (removeSecondFactor) {
      await manager.query('delete from operator_two_factor where operator_id = $1', [id]);
      await manager.update(Operator, { id }, { twoFactorEnabled: false });
    }
    await recordAudit(manager, {
      actor: checked,
      action: 'operator.reset',
      target: id,
      after: { mustChangePassword: true, removeSecondFactor },
    });
  });
  await forgiveAccount(dataSource, { id, email });
  return { email, generatedPassword };
}

/** The ids of the active administrators. */
async function listAdministrators(manager: EntityManager): Promise<readonly string[]> {
  const rows: { id: string }[] = await manager.query(
    `select id from operator where is_deployment_admin and status = 'active' order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Returns an operator. Throws OPERATOR_NOT_FOUND. */
export async function getOperator(manager: EntityManager, id: string): Promise<Operator> {
  const operator = await manager.findOneBy(Operator, { id });
  if (!operator) throw fail('OPERATOR_NOT_FOUND');
  return operator;
}
