import type { EnginePool } from '../../engine-pool.js';
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

/** Statements of one transaction. */
export type Statements = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>;

const memberColumns = `
  m.id, m."organizationId", m."userId", m.role, m."createdAt",
  json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image) as user`;

const fromMembers = `from auth.member m join auth."user" u on u.id = m."userId"`;

/** Runs `work` in one transaction, which is taken back when it throws. */
export async function transaction<T>(
  pool: EnginePool,
  work: (run: Statements) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const run: Statements = async <R>(text: string, values: readonly unknown[]) =>
    (await client.query<R>(text, values)).rows;
  try {
    await run('begin', []);
    const result = await work(run);
    await run('commit', []);
    return result;
  } catch (error) {
    await run('rollback', []);
    throw error;
  } finally {
    client.release();
  }
}

/** Makes changes of one organization's members wait for each other. */
export async function lockOrganization(run: Statements, organizationId: string): Promise<void> {
  await run('select from auth.organization where id = $1 for no key update', [organizationId]);
}

/** The membership of a user. */
export async function findMembership(
  run: Statements,
  organizationId: string,
  userId: string,
): Promise<Member | undefined> {
  const rows = await run<Member>(
    `select ${memberColumns} ${fromMembers} where m."organizationId" = $1 and m."userId" = $2`,
    [organizationId, userId],
  );
  return rows[0];
}

/** A member by its id, or by its user's address when there is an `@` in it: ids have none. */
export async function findMember(
  run: Statements,
  organizationId: string,
  idOrEmail: string,
): Promise<Member | undefined> {
  const column = idOrEmail.includes('@') ? 'u.email = lower($2)' : 'm.id = $2';
  const rows = await run<Member>(
    `select ${memberColumns} ${fromMembers} where m."organizationId" = $1 and ${column}`,
    [organizationId, idOrEmail],
  );
  return rows[0];
}

export async function deleteMember(run: Statements, memberId: string): Promise<void> {
  await run('delete from auth.member where id = $1', [memberId]);
}

export async function updateRole(
  run: Statements,
  memberId: string,
  role: OrganizationRole,
): Promise<void> {
  await run('update auth.member set role = $2 where id = $1', [memberId, role]);
}
