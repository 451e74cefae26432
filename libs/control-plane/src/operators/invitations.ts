// Invitations: created by operators who manage the members of an organization, identified by a token, accepted within
// 7 days by the person with that email address (accept-invitation.ts). The token is mailed. It is shown once, and only
// to an administrator of the deployment: with it, the inviter could accept in the name of the address.
import { fail } from '#libs/errors';
import { type Capability, readEmailAddress } from '#libs/wire';
import { createId } from '@paralleldrive/cuid2';
import { createHash, randomBytes } from 'node:crypto';
import { type DataSource, type EntityManager, In, IsNull, type SelectQueryBuilder } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { ControlPlane } from '../control-plane.js';
import { OperatorInvitation } from '../entities/operator-invitation.entity.js';
import { assertMayGrant, capabilitiesOf, type Grant, type Role } from '../organizations/roles.js';
import { currentGiver, isDeploymentAdmin } from './authority.js';
import {
  findInvitationMails,
  type InvitationMail,
  storeInvitationMail,
} from './invitation-mails.js';
import { countInvitation } from './invitation-limits.js';
import { cursorRefusal, keyIn, type Page, pageOf } from '../pages.js';
import type { OperatorActor } from './operator-actor.js';

const lifetimeMs = 7 * 24 * 3600 * 1000;

export interface InvitationInput {
  readonly email: string;
  readonly organizationId: string;
  /** Absent: the whole organization. */
  readonly projectRef?: string | undefined;
  readonly grant: Grant;
  /** Returns the link that carries the token. */
  readonly urlOf: (token: string) => string;
  /** Whether the link is mailed. Without a mail an administrator of the deployment hands it over. */
  readonly isMailed: boolean;
}

/** The inviter: the actor and the actor's capabilities in the organization. */
export interface Inviter {
  readonly actor: OperatorActor;
  readonly capabilities: readonly Capability[];
}

export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly capabilities: readonly Capability[];
  readonly projectRef: string | null;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null: the link is handed over without a mail. */
  readonly mail: InvitationMail | null;
}

/** An invitation as its inviter sees it. */
export interface NewInvitation extends InvitationView {
  /** Carries the token; only for administrators of the deployment. */
  readonly inviteUrl?: string;
}

/**
 * Creates an invitation, and replaces an earlier one of the same person to the same place. The result does not show
 * whether the address belongs to an operator. Throws CAPABILITY_REQUIRED for a role beyond the inviter's own
 * capabilities, including that of a replaced invitation, PROJECT_NOT_FOUND for a project of another organization,
 * CONFLICT for a person who is already a member there and for one more than {@link maxOpenInvitations},
 * INVITATION_MAIL_REQUIRED if nothing is mailed and the inviter does not administer the deployment, and what
 * {@link countInvitation} throws.
 */
export async function invite(
  { dataSource, masterKey }: Pick<ControlPlane, 'dataSource' | 'masterKey'>,
  inviter: Inviter,
  input: InvitationInput,
): Promise<NewInvitation> {
  const token = randomBytes(32).toString('base64url');
  const inviteUrl = input.urlOf(token);
  return dataSource.transaction(async (manager) => {
    const { organizationId } = input;
    const projectRef = input.projectRef ?? null;
    await lockInvitations(manager, organizationId);
    const { actor, capabilities } = await currentGiver(manager, inviter, organizationId);
    assertMayGrant(capabilities, input.grant);
    const maySeeLink = await isDeploymentAdmin(manager, inviter.actor.operatorId);
    if (!input.isMailed && !maySeeLink) throw fail('INVITATION_MAIL_REQUIRED');
    await assertPlace(manager, organizationId, projectRef);
    const email = readEmailAddress(input.email);
    if (email === undefined) {
      throw fail('INVALID_INPUT', { field: 'email', reason: 'must be an email address' });
    }
    await assertNoMember(manager, { email, organizationId, projectRef });
    await takeBack(manager, capabilities, { email, organizationId, projectRef });
    await assertRoom(manager, organizationId);
    await countInvitation(manager, { operatorId: inviter.actor.operatorId, email });
    const row = newInvitation(manager, inviter, { ...input, email, projectRef, token });
    await manager.insert(OperatorInvitation, row);
    const { mail: _stored, ...after } = viewOf(row, null);
    await recordAudit(manager, {
      actor,
      action: 'operator.invite',
      organizationId,
      ...(projectRef !== null && { ref: projectRef }),
      target: row.id,
      after,
    });
    const values = { url: inviteUrl, invitedBy: inviter.actor.email };
    const mail = input.isMailed
      ? await storeInvitationMail(manager, masterKey, { id: row.id, email, ...values })
      : null;
    return { ...viewOf(row, mail), ...(maySeeLink && { inviteUrl }) };
  });
}

/** Mails of one organization are sent in turn; a long queue delays its neighbors. */
export const maxOpenInvitations = 500;

/** Makes changes of the invitations and the members of one organization wait for each other. */
export async function lockInvitations(
  manager: EntityManager,
  organizationId: string,
): Promise<void> {
  await manager.query('select from organization where id = $1 for no key update', [organizationId]);
}

async function assertRoom(manager: EntityManager, organizationId: string): Promise<void> {
  if ((await openInvitations(manager, organizationId).getCount()) < maxOpenInvitations) return;
  const reason = `The organization has ${maxOpenInvitations} open invitations. Revoke some first`;
  throw fail('CONFLICT', { reason });
}

/** The form of `createdAt` in JSON: {@link invite} writes it in milliseconds. */
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether PostgreSQL knows the moment: `Date.parse` accepts February 30, and PostgreSQL has no year 0. */
function isMoment(text: string): boolean {
  if (!momentPattern.test(text) || Number.isNaN(Date.parse(text))) return false;
  const at = new Date(text);
  return at.toISOString() === text && at.getUTCFullYear() >= 1;
}

/** The invitations of an organization that can still be accepted, newest first. `before`: `next` of the page before. */
export async function listInvitations(
  { manager }: DataSource,
  organizationId: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<Page<InvitationView>> {
  const key = keyIn(before, { field: 'before', length: 2 });
  const query = openInvitations(manager, organizationId)
    .orderBy('invitation.createdAt', 'DESC')
    .addOrderBy('invitation.id', 'DESC')
    .take(limit + 1);
  if (key) {
    const [at = '', id] = key;
    if (!isMoment(at)) throw cursorRefusal('before');
    query.andWhere('(invitation.createdAt, invitation.id) < (:at, :id)', { at, id });
  }
  const { rows, next } = pageOf(await query.getMany(), limit, ({ createdAt, id }) => [
    createdAt.toISOString(),
    id,
  ]);
  const mails = await findInvitationMails(
    manager,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => viewOf(row, mails.get(row.id) ?? null)), next };
}

/** Selects the invitations of an organization that can still be accepted, as `invitation`. */
export function openInvitations(
  manager: EntityManager,
  organizationId: string,
): SelectQueryBuilder<OperatorInvitation> {
  return manager
    .createQueryBuilder(OperatorInvitation, 'invitation')
    .where('invitation.organizationId = :organizationId', { organizationId })
    .andWhere('invitation.acceptedAt is null and invitation.expiresAt > pg_catalog.now()');
}

/**
 * Revokes an open invitation of the organization. Throws INVITATION_NOT_FOUND, and CAPABILITY_REQUIRED if it gives more
 * than the revoker has.
 */
export async function revokeInvitation(
  dataSource: DataSource,
  inviter: Inviter,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const { actor, capabilities } = await currentGiver(manager, inviter, organizationId);
    const [revoked] = await takeBack(manager, capabilities, { id, organizationId });
    if (revoked === undefined) throw fail('INVITATION_NOT_FOUND');
    await recordAudit(manager, {
      actor,
      action: 'operator.invitation.revoke',
      organizationId,
      target: id,
      before: { email: revoked.email, role: revoked.role },
    });
  });
}

/**
 * Returns the stored form of an invitation's token: its SHA-256 in hex. The token has 256 random bits, so no salt is
 * needed.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Deletes the matching open invitations, if the person may give the rights of each. */
async function takeBack(
  manager: EntityManager,
  capabilities: readonly Capability[],
  which: {
    readonly id?: string;
    readonly email?: string;
    readonly organizationId: string;
    readonly projectRef?: string | null;
  },
): Promise<readonly OperatorInvitation[]> {
  const { projectRef, ...given } = which;
  const place = projectRef === undefined ? {} : { projectRef: projectRef ?? IsNull() };
  const open = await manager.find(OperatorInvitation, {
    where: { ...given, ...place, acceptedAt: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  for (const invitation of open) assertMayGrant(capabilities, invitation);
  if (open.length > 0)
    await manager.delete(OperatorInvitation, { id: In(open.map(({ id }) => id)) });
  return open;
}

/** Operators who may invite can see the members, so a conflict reveals nothing new. */
async function assertNoMember(
  manager: EntityManager,
  place: {
    readonly email: string;
    readonly organizationId: string;
    readonly projectRef: string | null;
  },
): Promise<void> {
  const rows: unknown[] = await manager.query(
    `select from membership join operator on operator.id = membership.operator_id
     where operator.email = $1 and membership.organization_id = $2
       and membership.project_ref is not distinct from $3`,
    [place.email, place.organizationId, place.projectRef],
  );
  if (rows.length > 0) {
    throw fail('CONFLICT', {
      reason: 'This person already has a membership there. Change its role',
    });
  }
}

/** Throws PROJECT_NOT_FOUND for a project that is not one of the organization. */
export async function assertPlace(
  manager: EntityManager,
  organizationId: string,
  projectRef: string | null,
): Promise<void> {
  if (projectRef === null) return;
  const rows: unknown[] = await manager.query(
    'select from project where ref = $1 and organization_id = $2',
    [projectRef, organizationId],
  );
  if (rows.length === 0) throw fail('PROJECT_NOT_FOUND');
}

function newInvitation(
  manager: EntityManager,
  { actor }: Inviter,
  given: Pick<InvitationInput, 'email' | 'organizationId' | 'grant'> & {
    readonly projectRef: string | null;
    readonly token: string;
  },
): OperatorInvitation {
  const { email, organizationId, projectRef, grant, token } = given;
  return manager.create(OperatorInvitation, {
    id: createId(),
    email,
    organizationId,
    projectRef,
    role: grant.role,
    capabilities: grant.role === 'custom' ? [...capabilitiesOf(grant)] : [],
    tokenHash: hashToken(token),
    invitedBy: actor.operatorId,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + lifetimeMs),
    acceptedAt: null,
  });
}

/** An invitation as operators see it. */
export function viewOf(row: OperatorInvitation, mail: InvitationMail | null): InvitationView {
  const { id, email, role, projectRef, invitedBy, createdAt, expiresAt } = row;
  const capabilities = capabilitiesOf(row);
  return { id, email, role, capabilities, projectRef, invitedBy, createdAt, expiresAt, mail };
}
