import { fail } from '#libs/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import { getOperator } from './administer-operators.js';
import { lockOperators, requireAuthority } from './authority.js';
import type { OperatorActor } from './operator-actor.js';
import { revokeEverything } from './sessions.js';

/**
 * Deletes an operator with all memberships and sessions. Throws OPERATOR_NOT_FOUND, CONFLICT for the own account, so
 * that an administrator remains, and LAST_OWNER rather than leave an organization without an owner.
 */
export async function deleteOperator(
  dataSource: DataSource,
  actor: OperatorActor,
  id: string,
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    // Its other owners wait, so that they do not leave at the same time.
    await manager.query(
      `select from organization where id in (
         select organization_id from membership
         where operator_id = $1 and project_ref is null and role = 'owner')
       order by id for no key update`,
      [id],
    );
    await lockOperators(manager, [id, actor.operatorId]);
    const checked = await requireAuthority(manager, actor);
    const { email, name, isDeploymentAdmin } = await getOperator(manager, id);
    if (id === actor.operatorId)
      throw fail('CONFLICT', { reason: 'Another administrator has to delete your account' });
    await assertOwnersRemain(manager, id);
    await revokeEverything(manager, id);
    // An invitation of another operator would bring the account back.
    await manager.query(
      'delete from operator_invitation where email = $1 and accepted_at is null',
      [email],
    );
    await manager.query('delete from operator where id = $1', [id]);
    await recordAudit(manager, {
      actor: checked,
      action: 'operator.delete',
      target: id,
      before: { email, name, isDeploymentAdmin },
    });
  });
}

async function assertOwnersRemain(manager: EntityManager, leaving: string): Promise<void> {
  const rows: { name: string }[] = await manager.query(
    `select organization.name
     from membership join organization on organization.id = membership.organization_id
     where membership.operator_id = $1 and membership.project_ref is null
       and membership.role = 'owner' and not exists (
         select from membership other join operator on operator.id = other.operator_id
         where other.organization_id = membership.organization_id and other.project_ref is null
           and other.role = 'owner' and other.operator_id <> $1 and operator.status = 'active')
     order by organization.name`,
    [leaving],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw fail(
    'LAST_OWNER',
    {},
    { hint: `Give another operator the role owner first, in ${names}.` },
  );
}
