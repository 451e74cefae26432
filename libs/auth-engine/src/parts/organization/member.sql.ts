import { readEmailAddress } from '#libs/wire';
import type { RunStatement } from '../../engine-pool.js';
import type { OrganizationRole } from './checks.js';

/** A member as requests see it: of its user only what colleagues may know. */
export interface Member {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly role: OrganizationRole;
  readonly createdAt: Date;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly image: string | null;
  };
}

const memberColumns = `
  m.id, m."organizationId", m."userId", m.role, m."createdAt",
  pg_catalog.json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image) as user`;

const fromMembers = `from auth.member m join auth."user" u on u.id = m."userId"`;

/** Makes changes of one organization's members wait for each other. */
export async function lockOrganization(run: RunStatement, organizationId: string): Promise<void> {
  await run('select from auth.organization where id = $1 for no key update', [organizationId]);
}

/** The membership of a user. */
export async function findMembership(
  run: RunStatement,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const rows = await run<Member>(
    `select ${memberColumns} ${fromMembers} where m."organizationId" = $1 and m."userId" = $2`,
    [organizationId, userId],
  );
  return rows[0];
}

/** A member by its id, or by its user's address, which may be of an old form, when there is an `@`: ids have none. */
export async function findMember(
  run: RunStatement,
  organizationId: string,
  idOrEmail: string,
): Promise<Member | undefined> {
  const isEmail = idOrEmail.includes('@');
  const addresses = [idOrEmail.toLowerCase(), readEmailAddress(idOrEmail) ?? ''];
  const rows = await run<Member>(
    `select ${memberColumns} ${fromMembers} where m."organizationId" = $1 and ${isEmail ? 'u.email' : 'm.id'} = any ($2)`,
    [organizationId, isEmail ? addresses : [idOrEmail]],
  );
  return rows[0];
}

export async function deleteMember(run: RunStatement, memberId: string): Promise<void> {
  await run('delete from auth.member where id = $1', [memberId]);
}

export async function updateRole(
  run: RunStatement,
  memberId: string,
  role: OrganizationRole,
): Promise<void> {
  await run('update auth.member set role = $2 where id = $1', [memberId, role]);
}
