import { fail } from '#libs/errors';
import { hashPassword } from '#libs/passwords';
import { readEmailAddress } from '#libs/wire';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import { OperatorInvitation } from '../entities/operator-invitation.entity.js';
import { Operator } from '../entities/operator.entity.js';
import { addMembership } from '../organizations/add-membership.js';
import { capabilitiesOn } from '../organizations/capabilities.js';
import { capabilitiesOf } from '../organizations/roles.js';
import { createOperator } from './create-operator.js';
import { hashToken, lockInvitations } from './invitations.js';
import type { OperatorActor } from './operator-actor.js';
import { checkNewPassword } from './passwords.js';

/** Who accepts: a new person, or an operator who is signed in. */
export type Accepter =
  | {
      readonly kind: 'new';
      readonly name: string;
      readonly password: string;
      readonly ip: string;
      readonly requestId: string;
    }
  | { readonly kind: 'operator'; readonly actor: OperatorActor };

export interface Accepted {
  readonly operatorId: string;
  readonly email: string;
  readonly organizationId: string;
}

/**
 * Turns an invitation into a membership and, for a new person, into an operator, in one transaction. Throws
 * INVITATION_NOT_FOUND for an unknown, used or expired token and if the inviter could no longer give as much,
 * OPERATOR_EXISTS if an operator has that email address and is not signed in, INVITATION_FOR_SOMEBODY_ELSE if the
 * signed-in operator has another address.
 */
export async function acceptInvitation(
  { dataSource }: ControlPlane,
  token: string,
  accepter: Accepter,
): Promise<Accepted> {
  const invitation = await findOpen(dataSource, token);
  const { email, organizationId } = invitation;
  const actorOf = await prepare(dataSource, accepter, email);
  return dataSource.transaction(async (manager) => {
    await lockInvitations(manager, organizationId);
    await use(manager, invitation.id);
    await checkInviter(manager, invitation);
    const actor = await actorOf(manager);
    const { operatorId } = actor;
    const { projectRef, role, capabilities } = invitation;
    await addMembership(manager, {
      operatorId,
      organizationId,
      projectRef: projectRef ?? undefined,
      grant: { role, capabilities },
    });
    await recordAudit(manager, {
      actor,
      action: 'operator.invitation.accept',
      organizationId,
      ...(projectRef !== null && { ref: projectRef }),
      target: invitation.id,
      after: { email, role },
    });
    return { operatorId, email, organizationId };
  });
}

async function findOpen(dataSource: DataSource, token: string): Promise<OperatorInvitation> {
  const invitation = await dataSource
    .createQueryBuilder(OperatorInvitation, 'invitation')
    .where('invitation.tokenHash = :hash', { hash: hashToken(token) })
    .andWhere('invitation.acceptedAt is null and invitation.expiresAt > pg_catalog.now()')
    .getOne();
  if (!invitation) throw fail('INVITATION_NOT_FOUND');
  return invitation;
}

/**
 * Checks the accepting person, hashes outside the transaction, and returns a function that finds or creates the
 * operator in it.
 */
async function prepare(
  dataSource: DataSource,
  accepter: Accepter,
  email: string,
): Promise<(manager: EntityManager) => Promise<OperatorActor>> {
  if (accepter.kind === 'operator') {
    const { actor } = accepter;
    const [own, invited] = [actor.email, email].map((each) => readEmailAddress(each) ?? each);
    if (own !== invited) {
      throw fail('INVITATION_FOR_SOMEBODY_ELSE');
    }
    return async () => actor;
  }
  // The password is checked first, so that a useless password reveals nothing about the address.
  checkNewPassword('password', accepter.password);
  if (await dataSource.manager.existsBy(Operator, { email })) throw operatorExists();
  const passwordHash = await hashPassword(accepter.password);
  const { name, ip, requestId } = accepter;
  const flags = { isDeploymentAdmin: false, mustChangePassword: false };
  return async (manager) => {
    const operatorId = await createOperator(manager, { email, name, passwordHash, ...flags });
    if (operatorId === undefined) throw operatorExists();
    return { operatorId, email, ip, requestId };
  };
}

const operatorExists = () =>
  fail('OPERATOR_EXISTS', {}, { hint: 'Sign in, then accept the invitation.' });

/** An invitation gives no more than its inviter could give now; the inviter may be removed before it is accepted. */
async function checkInviter(
  manager: EntityManager,
  { invitedBy, organizationId, ...grant }: OperatorInvitation,
): Promise<void> {
  const own = (await capabilitiesOn(manager, invitedBy, { organizationId })) ?? [];
  const needed = ['members.manage' as const, ...capabilitiesOf(grant)];
  if (!needed.every((capability) => own.includes(capability))) throw fail('INVITATION_NOT_FOUND');
}

/** Marks the invitation as accepted. If two requests try, one throws INVITATION_NOT_FOUND. */
async function use(manager: EntityManager, id: string): Promise<void> {
  const [, used]: [unknown, number] = await manager.query(
    `update operator_invitation set accepted_at = pg_catalog.now()
     where id = $1 and accepted_at is null and expires_at > pg_catalog.now()`,
    [id],
  );
  if (used === 0) throw fail('INVITATION_NOT_FOUND');
}
