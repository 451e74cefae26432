import { hashPassword } from '#libs/passwords';
import { readEmailAddress } from '#libs/wire';
import { createId } from '@paralleldrive/cuid2';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import { ControlPlaneStartError } from '../control-plane-start-error.js';
import { Organization } from '../entities/organization.entity.js';
import { addMembership } from '../organizations/add-membership.js';
import { createOperator } from './create-operator.js';
import { generatePassword } from './passwords.js';

export type FirstOperator =
  | { readonly created: false }
  | {
      readonly created: true;
      readonly email: string;
      /** Present if no password was given: to be shown once. */
      readonly generatedPassword?: string;
    };

const defaultEmail = 'operator@rowhouse.local';
const organizationSlug = 'default';
// Any number that no other lock of this database uses.
const firstOperatorLock = 7_310_442;

/**
 * Creates the first operator of a deployment: its administrator and the owner of the organization `Default`. Does
 * nothing if there is an operator. Throws ControlPlaneStartError for an address that is none. The password must be changed at the first login unless both values were given.
 */
export async function ensureFirstOperator(
  { dataSource }: ControlPlane,
  given: { readonly email?: string | undefined; readonly password?: string | undefined } = {},
): Promise<FirstOperator> {
  if (await hasOperator(dataSource.manager)) return { created: false };
  const email = readEmailAddress(given.email ?? defaultEmail);
  if (email === undefined)
    throw new ControlPlaneStartError('OPERATOR_EMAIL: must be an email address');
  const password = given.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const mustChangePassword = given.email === undefined || given.password === undefined;
  return dataSource.transaction(async (manager): Promise<FirstOperator> => {
    await manager.query('select pg_catalog.pg_advisory_xact_lock($1)', [firstOperatorLock]);
    if (await hasOperator(manager)) return { created: false };
    const operator = { email, name: '', passwordHash, isDeploymentAdmin: true, mustChangePassword };
    const operatorId = await createOperator(manager, operator);
    if (operatorId === undefined) throw new Error('The first operator exists already');
    const organizationId = await ensureDefaultOrganization(manager);
    await addMembership(manager, { operatorId, organizationId, grant: { role: 'owner' } });
    await recordAudit(manager, {
      actor: 'system',
      action: 'operator.create',
      organizationId,
      target: operatorId,
      after: { email, isDeploymentAdmin: true, role: 'owner' },
    });
    return {
      created: true,
      email,
      ...(given.password === undefined && { generatedPassword: password }),
    };
  });
}

async function hasOperator(manager: EntityManager): Promise<boolean> {
  const rows: unknown[] = await manager.query('select from operator limit 1');
  return rows.length > 0;
}

async function ensureDefaultOrganization(manager: EntityManager): Promise<string> {
  const found = await manager.findOneBy(Organization, { slug: organizationSlug });
  if (found) return found.id;
  const id = createId();
  await manager.insert(Organization, { id, name: 'Default', slug: organizationSlug });
  return id;
}
