// The rights of an operator are checked again in the transaction of each change. The guard checked them when the
// request came, but the transaction may have waited since then for a change that removed a right.
import { fail } from '#libs/errors';
import type { Capability } from '#libs/wire';
import type { EntityManager } from 'typeorm';
import type { AuditActor } from '../audit/actor.js';
import { capabilitiesOn } from '../organizations/capabilities.js';

/**
 * Checks that the actor may still make the change, and keeps it so until the transaction ends: a request that removes
 * the right waits. Returns the actor without its authority, for changes of the actor's own rights. `system` and actors
 * without authority pass. Throws UNAUTHORIZED, DEPLOYMENT_ADMIN_REQUIRED, CAPABILITY_REQUIRED.
 */
export async function requireAuthority(
  manager: EntityManager,
  actor: AuditActor,
): Promise<AuditActor> {
  if (actor === 'system' || actor.authority === undefined) return actor;
  const { authority, ...checked } = actor;
  const { sessionId, needs } = authority;
  const rows: { isDeploymentAdmin: boolean }[] = await manager.query(
    `select operator.is_deployment_admin as "isDeploymentAdmin"
     from operator_session join operator on operator.id = operator_session.operator_id
     where operator_session.id = $1 and operator.id = $2 and operator.status = 'active'
       and operator_session.expires_at > pg_catalog.now()
     for share`,
    [sessionId, actor.operatorId],
  );
  const operator = rows[0];
  if (operator === undefined) throw fail('UNAUTHORIZED');
  if (needs === 'deployment-admin' && !operator.isDeploymentAdmin) {
    throw fail('DEPLOYMENT_ADMIN_REQUIRED');
  }
  if (typeof needs === 'object') {
    const { capability, place } = needs;
    const capabilities = await capabilitiesOn(manager, actor.operatorId, place);
    if (!capabilities?.includes(capability)) throw fail('CAPABILITY_REQUIRED', { capability });
  }
  return checked;
}

/**
 * Locks operators whose rights or passwords are about to change, in the order of their ids: changes that need their
 * authority wait. Call it after locking an organization or a project and before {@link requireAuthority}.
 */
export async function lockOperators(
  manager: EntityManager,
  ids: readonly (string | undefined)[],
): Promise<void> {
  await manager.query('select from operator where id = any ($1) order by id for no key update', [
    ids.filter((id) => id !== undefined),
  ]);
}

/** An operator who gives rights to others, with the capabilities that the guard found in the organization. */
export interface Giver {
  readonly actor: AuditActor;
  readonly capabilities: readonly Capability[];
}

/** Returns the giver with current capabilities, without its authority. Throws like {@link requireAuthority}. */
export async function currentGiver(
  manager: EntityManager,
  { actor, capabilities }: Giver,
  organizationId: string,
): Promise<Giver> {
  const checked = await requireAuthority(manager, actor);
  if (actor === 'system' || actor.authority === undefined) return { actor, capabilities };
  const current = await capabilitiesOn(manager, actor.operatorId, { organizationId });
  return { actor: checked, capabilities: current ?? [] };
}

/** Whether the operator administers the deployment. After {@link currentGiver}, it stays so in the transaction. */
export async function isDeploymentAdmin(
  manager: EntityManager,
  operatorId: string,
): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `select from operator where id = $1 and is_deployment_admin and status = 'active'`,
    [operatorId],
  );
  return rows.length > 0;
}

/** Whether the actor is the platform itself or administers the deployment. */
export async function administersAll(manager: EntityManager, actor: AuditActor): Promise<boolean> {
  const operatorId = operatorOf(actor);
  return operatorId === undefined || isDeploymentAdmin(manager, operatorId);
}

/** The id of the operator who makes a change; undefined for the platform. */
export function operatorOf(actor: AuditActor): string | undefined {
  return actor === 'system' ? undefined : actor.operatorId;
}
