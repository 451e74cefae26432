// The statements over auth."twoFactor": one factor per user, an app that shows codes with its backup codes.
import { createId } from '@paralleldrive/cuid2';
import { fail } from '#libs/errors';
import { queryRows, type EnginePool } from '../../engine-pool.js';

export interface Factor {
  readonly id: string;
  /** Sealed. */
  readonly secret: string;
  /** False until its first code was accepted: until then it guards nothing. */
  readonly isVerified: boolean;
  readonly backupCodesLeft: number;
  readonly createdAt: Date;
}

/** The factor of a user. */
export async function findFactor(pool: EnginePool, userId: string): Promise<Factor | undefined> {
  const rows = await queryRows<Factor>(
    pool,
    `select id, secret, verified is true as "isVerified", "createdAt",
       pg_catalog.jsonb_array_length("backupCodes"::pg_catalog.jsonb) as "backupCodesLeft"
     from auth."twoFactor" where "userId" = $1`,
    [userId],
  );
  return rows[0];
}

export interface Enrolment {
  readonly userId: string;
  /** Sealed. */
  readonly secret: string;
  /** Digests. */
  readonly backupCodes: readonly string[];
}

/** Keeps a factor that is still to be verified, in the place of an earlier such. False: there is a verified one. */
export async function keepEnrolment(pool: EnginePool, enrolment: Enrolment): Promise<boolean> {
  const { userId, secret, backupCodes } = enrolment;
  const rows = await queryRows(
    pool,
    `insert into auth."twoFactor" as kept (id, "userId", secret, "backupCodes", verified)
     values ($1, $2, $3, $4, false)
     on conflict ("userId") do update
       set id = excluded.id, secret = excluded.secret, "backupCodes" = excluded."backupCodes",
         verified = false, "lastStep" = null, "createdAt" = pg_catalog.now()
       where kept.verified is not true
     returning 1`,
    [createId(), userId, secret, JSON.stringify(backupCodes)],
  );
  return rows.length > 0;
}

/** Takes the steps of codes that come later than every one that was taken before; false when none does. */
export async function claimStep(
  pool: EnginePool,
  factorId: string,
  steps: readonly number[],
): Promise<boolean> {
  const rows = await queryRows(
    pool,
    `update auth."twoFactor" set "lastStep" = $2
     where id = $1 and ("lastStep" is null or "lastStep" < $2) returning 1`,
    [factorId, Math.max(...steps)],
  );
  return rows.length > 0;
}

/**
 * Turns a factor on, by the session that has shown its first code: that session is of the second level from
 * here on, and the user's other sessions, which were opened without it, end. False when another request was first.
 */
export async function confirmFactor(
  pool: EnginePool,
  { factorId, sessionId }: { readonly factorId: string; readonly sessionId: string },
): Promise<boolean> {
  const rows = await queryRows(
    pool,
    `with confirmed as (
       update auth."twoFactor" set verified = true
       where id = $1 and verified is not true returning "userId"
     ), flagged as (
       update auth."user" u set "twoFactorEnabled" = true, "updatedAt" = pg_catalog.now()
       from confirmed where u.id = confirmed."userId"
     ), raised as (
       update auth.session s set aal = 'aal2', "updatedAt" = pg_catalog.now()
       from confirmed where s.id = $2 and s."userId" = confirmed."userId"
     ), ended as (
       delete from auth.session s using confirmed
       where s."userId" = confirmed."userId" and s.id <> $2 and s.aal = 'aal1'
     )
     select 1 from confirmed`,
    [factorId, sessionId],
  );
  return rows.length > 0;
}

/** Raises a session to the second level. Throws UNAUTHORIZED when it has ended meanwhile. */
export async function raiseSession(pool: EnginePool, sessionId: string): Promise<void> {
  const rows = await queryRows(
    pool,
    `update auth.session set aal = 'aal2', "updatedAt" = pg_catalog.now() where id = $1 returning 1`,
    [sessionId],
  );
  if (rows.length === 0) throw fail('UNAUTHORIZED');
}

/** Takes a backup code out, by its digest; false when there is none, or no more. */
export async function spendBackupCode(
  pool: EnginePool,
  { factorId, digest }: { readonly factorId: string; readonly digest: string },
): Promise<boolean> {
  const rows = await queryRows(
    pool,
    `update auth."twoFactor" set "backupCodes" = ("backupCodes"::pg_catalog.jsonb - $2::pg_catalog.text)::pg_catalog.text
     where id = $1 and "backupCodes"::pg_catalog.jsonb ? $2 returning 1`,
    [factorId, digest],
  );
  return rows.length > 0;
}

/** Puts other backup codes, as digests, in the place of all. */
export async function replaceBackupCodes(
  pool: EnginePool,
  { factorId, backupCodes }: { readonly factorId: string; readonly backupCodes: readonly string[] },
): Promise<void> {
  await queryRows(pool, `update auth."twoFactor" set "backupCodes" = $2 where id = $1`, [
    factorId,
    JSON.stringify(backupCodes),
  ]);
}

/** Deletes a factor, and with it (migration 0016) what it has proven. */
export async function deleteFactor(pool: EnginePool, factorId: string): Promise<boolean> {
  const rows = await queryRows(pool, 'delete from auth."twoFactor" where id = $1 returning 1', [
    factorId,
  ]);
  return rows.length > 0;
}
