import type { Transaction } from '#libs/database';

/** What the user and every list of sessions see in the place of a browser. */
const userAgent = 'Impersonation by an administrator';

/** Adds the session of an impersonation, and returns when it ends. */
export async function insertImpersonation(
  tx: Transaction,
  session: {
    readonly id: string;
    readonly userId: string;
    readonly tokenHash: string;
    readonly expiresInSeconds: number;
    readonly ip: string;
    readonly impersonatedBy: object;
  },
): Promise<Date> {
  const { id, userId, tokenHash, expiresInSeconds, ip, impersonatedBy } = session;
  const { rows } = await tx.query<{ readonly expiresAt: Date }>(
    `insert into auth.session (id, "userId", "tokenHash", "expiresAt", "endsAt", "ipAddress",
       "userAgent", "impersonatedBy")
     select $1, $2, $3::pg_catalog.bytea, ends.at, ends.at, $5, $6, $7::pg_catalog.jsonb
     from (select pg_catalog.now() + pg_catalog.make_interval(secs => $4) as at) ends
     returning "expiresAt"`,
    [id, userId, tokenHash, expiresInSeconds, ip, userAgent, JSON.stringify(impersonatedBy)],
  );
  const [row] = rows;
  if (!row) throw new Error('the session of an impersonation was not stored');
  return row.expiresAt;
}
