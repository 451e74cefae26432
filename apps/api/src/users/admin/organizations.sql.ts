import type { Transaction } from '#libs/database';

/** An organization of the project's users, as administrators see it. */
export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: Date;
  readonly members: number;
  readonly owners: number;
}

export interface OrganizationFilter {
  /** Part of a name, a slug or an id. */
  readonly search: string | undefined;
  /** Only organizations with (true) or without (false) an owner. */
  readonly hasOwner: boolean | undefined;
}

const counted = `select o.id, o.name, o.slug, o."createdAt",
    pg_catalog.count(m.id)::pg_catalog.int4 as members,
    pg_catalog.count(m.id) filter (where m.role = 'owner')::pg_catalog.int4 as owners
  from auth.organization o left join auth.member m on m."organizationId" = o.id`;

const matching = `with counted as (${counted}
    where $1::pg_catalog.text is null or o.name ilike $1 or o.slug ilike $1 or o.id ilike $1
    group by o.id
  ), matching as (
    select * from counted where $2::pg_catalog.bool is null or (owners > 0) = $2
  )`;

/** One page of the organizations that match, by name. */
export async function listOrganizations(
  tx: Transaction,
  filter: OrganizationFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ListedOrganization[]> {
  const { rows } = await tx.query<ListedOrganization>(
    `${matching} select * from matching order by name, id limit $3 offset $4`,
    [...valuesOf(filter), limit, offset],
  );
  return rows;
}

export async function countOrganizations(
  tx: Transaction,
  filter: OrganizationFilter,
): Promise<number> {
  const { rows } = await tx.query<{ readonly total: number }>(
    `${matching} select pg_catalog.count(*)::pg_catalog.int4 as total from matching`,
    valuesOf(filter),
  );
  return rows[0]?.total ?? 0;
}

function valuesOf({ search, hasOwner }: OrganizationFilter): readonly unknown[] {
  const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return [pattern, hasOwner ?? null];
}

export async function findOrganization(
  tx: Transaction,
  id: string,
): Promise<ListedOrganization | undefined> {
  const { rows } = await tx.query<ListedOrganization>(`${counted} where o.id = $1 group by o.id`, [
    id,
  ]);
  return rows[0];
}

/** Makes changes of one organization's members wait for each other. */
export async function lockOrganization(tx: Transaction, id: string): Promise<void> {
  await tx.query('select from auth.organization where id = $1 for no key update', [id]);
}

export interface ListedMember {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly role: string;
  readonly createdAt: Date;
}

const memberColumns = `m.id, m."userId"::pg_catalog.text as "userId", u.email, u.name, u.status,
    m.role, m."createdAt"
  from auth.member m join auth."user" u on u.id = m."userId"`;

/** The members, owners first, then in the order in which they joined. */
export async function listMembers(
  tx: Transaction,
  organizationId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ListedMember[]> {
  const { rows } = await tx.query<ListedMember>(
    `select ${memberColumns} where m."organizationId" = $1
     order by m.role = 'owner' desc, m."createdAt", m.id limit $2 offset $3`,
    [organizationId, limit, offset],
  );
  return rows;
}

export async function findMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<ListedMember | undefined> {
  const { rows } = await tx.query<ListedMember>(
    `select ${memberColumns} where m."organizationId" = $1 and m."userId" = $2`,
    [organizationId, userId],
  );
  return rows[0];
}

export async function addMember(
  tx: Transaction,
  member: {
    readonly id: string;
    readonly organizationId: string;
    readonly userId: string;
    readonly role: string;
  },
): Promise<void> {
  const { id, organizationId, userId, role } = member;
  await tx.query(
    'insert into auth.member (id, "organizationId", "userId", role) values ($1, $2, $3, $4)',
    [id, organizationId, userId, role],
  );
}

export async function setMemberRole(tx: Transaction, id: string, role: string): Promise<void> {
  await tx.query('update auth.member set role = $2 where id = $1', [id, role]);
}

export async function deleteMember(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.member where id = $1', [id]);
}
