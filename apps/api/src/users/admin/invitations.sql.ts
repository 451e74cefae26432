import type { Transaction } from '#libs/database';

/** An invitation to an organization that is not answered yet. */
export interface PendingInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: string | null;
  readonly teamId: string | null;
  readonly inviterId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const isPending = `i."organizationId" = $1 and i.status = 'pending' and i."expiresAt" > pg_catalog.now()`;
const columns = `i.id, i.email, i.role, i."teamId", i."inviterId"::pg_catalog.text as "inviterId",
    i."createdAt", i."expiresAt"`;

/** One page of the pending invitations of an organization, the latest first. */
export async function listInvitations(
  tx: Transaction,
  organizationId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PendingInvitation[]> {
  const { rows } = await tx.query<PendingInvitation>(
    `select ${columns} from auth.invitation i where ${isPending}
     order by i."createdAt" desc, i.id limit $2 offset $3`,
    [organizationId, limit, offset],
  );
  return rows;
}

export async function countInvitations(tx: Transaction, organizationId: string): Promise<number> {
  const { rows } = await tx.query<{ readonly total: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as total from auth.invitation i where ${isPending}`,
    [organizationId],
  );
  return rows[0]?.total ?? 0;
}

/** Cancels a pending invitation and returns it; undefined if there is none. */
export async function cancelPending(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<PendingInvitation | undefined> {
  const { rows } = await tx.query<PendingInvitation>(
    `update auth.invitation i set status = 'canceled' where ${isPending} and i.id = $2
     returning ${columns}`,
    [organizationId, id],
  );
  return rows[0];
}
