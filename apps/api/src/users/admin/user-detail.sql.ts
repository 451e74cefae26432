import type { Transaction } from '#libs/database';

/** A session without its token, which would give access to the account. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly aal: string;
  readonly activeOrganizationId: string | null;
  /** The administrator who has begun the session in the name of the user; null for the user's own. */
  readonly impersonatedBy: {
    readonly kind: 'user' | 'operator' | 'secret-key';
    readonly id: string | null;
    readonly email: string | null;
  } | null;
}

export async function listSessions(tx: Transaction, userId: string): Promise<ListedSession[]> {
  const { rows } = await tx.query<ListedSession>(
    `select id, "createdAt", "updatedAt", "expiresAt", "ipAddress", "userAgent", aal,
       "activeOrganizationId", "impersonatedBy"
     from auth.session where "userId" = $1 and "expiresAt" > pg_catalog.now()
     order by "createdAt" desc, id`,
    [userId],
  );
  return rows;
}

/** A way to sign in, without tokens and hashes. */
export interface ListedIdentity {
  readonly id: string;
  readonly provider: string;
  /** The user's id at the provider. */
  readonly accountId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export async function listIdentities(tx: Transaction, userId: string): Promise<ListedIdentity[]> {
  const { rows } = await tx.query<ListedIdentity>(
    `select id, "providerId" as provider, "accountId", "createdAt", "updatedAt"
     from auth.account where "userId" = $1 order by "createdAt", id`,
    [userId],
  );
  return rows;
}

/** A second factor as the user's own list shows it. */
export interface ListedFactor {
  readonly id: string;
  readonly factor_type: 'totp';
  /** `unverified`: no code of it was entered yet, so sign-ins do not require one. */
  readonly status: 'verified' | 'unverified';
  readonly created_at: Date;
}

export async function listFactors(tx: Transaction, userId: string): Promise<ListedFactor[]> {
  const { rows } = await tx.query<ListedFactor>(
    `select factor.id, 'totp' as factor_type, factor."createdAt" as created_at,
       case when factor.verified is not false and "user"."twoFactorEnabled"
         then 'verified' else 'unverified' end as status
     from auth."twoFactor" factor join auth."user" on "user".id = factor."userId"
     where factor."userId" = $1`,
    [userId],
  );
  return rows;
}

/** Takes the factor away, with the trust that it has given. A user has one; clients call it `totp`, too. */
export async function deleteFactor(
  tx: Transaction,
  userId: string,
  factorId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from auth."twoFactor" where "userId" = $1 and (id = $2 or $2 = 'totp')`,
    [userId, factorId],
  );
  return rowCount > 0;
}

export interface ListedPasskey {
  readonly id: string;
  readonly name: string | null;
  readonly deviceType: string;
  readonly backedUp: boolean;
  readonly createdAt: Date | null;
}

export async function listPasskeys(tx: Transaction, userId: string): Promise<ListedPasskey[]> {
  const { rows } = await tx.query<ListedPasskey>(
    `select id, name, "deviceType", "backedUp", "createdAt"
     from auth.passkey where "userId" = $1 order by "createdAt", id`,
    [userId],
  );
  return rows;
}

export interface ListedMembership {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly organizationSlug: string;
  readonly role: string;
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly createdAt: Date;
}

export async function listMemberships(
  tx: Transaction,
  userId: string,
): Promise<ListedMembership[]> {
  const { rows } = await tx.query<ListedMembership>(
    `select organization.id as "organizationId", organization.name as "organizationName",
       organization.slug as "organizationSlug", member.role, member."createdAt",
       (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', team.id, 'name', team.name)
          order by team.name, team.id), '[]')
        from auth."teamMember" join auth.team on team.id = "teamMember"."teamId"
        where "teamMember"."userId" = member."userId"
          and team."organizationId" = organization.id) as teams
     from auth.member join auth.organization on organization.id = member."organizationId"
     where member."userId" = $1 order by member."createdAt", organization.id`,
    [userId],
  );
  return rows;
}

/** An API key without what it is used by. */
export interface ListedApiKey {
  readonly id: string;
  readonly name: string | null;
  /** The first characters of the key. */
  readonly start: string | null;
  readonly enabled: boolean;
  readonly remaining: number | null;
  readonly permissions: string | null;
  readonly lastRequest: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

export async function listApiKeys(tx: Transaction, userId: string): Promise<ListedApiKey[]> {
  const { rows } = await tx.query<ListedApiKey>(
    `select id, name, start, enabled is not false as enabled, remaining, permissions,
       "lastRequest", "expiresAt", "createdAt"
     from auth.apikey where "referenceId" = $1 order by "createdAt", id`,
    [userId],
  );
  return rows;
}

/** Deletes an API key of a user, and returns its name; undefined if the user does not have the key. */
export async function deleteApiKey(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<{ readonly name: string | null } | undefined> {
  const { rows } = await tx.query<{ readonly name: string | null }>(
    'delete from auth.apikey where "referenceId" = $1 and id = $2 returning name',
    [userId, id],
  );
  return rows[0];
}

/** Deletes a passkey of a user, and returns its name; undefined if the user does not have the passkey. */
export async function deletePasskey(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<{ readonly name: string | null } | undefined> {
  const { rows } = await tx.query<{ readonly name: string | null }>(
    'delete from auth.passkey where "userId" = $1 and id = $2 returning name',
    [userId, id],
  );
  return rows[0];
}
