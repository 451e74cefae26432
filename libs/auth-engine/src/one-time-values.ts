// Values that are good for one use and a short time, kept as digests in auth.verification.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { queryRows, type EnginePool } from './engine-pool.js';

/** 256 random bits, in characters that need no escape in addresses. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in base64url: enough for values that cannot be guessed. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export interface OneTimeValue {
  readonly identifier: string;
  readonly value: string;
  readonly expiresInSeconds: number;
}

/** Keeps a value under its identifier, in the place of an earlier one. */
export async function keepValue(pool: EnginePool, kept: OneTimeValue): Promise<void> {
  const { identifier, value, expiresInSeconds } = kept;
  await queryRows(
    pool,
    `with earlier as (delete from auth.verification where identifier = $2)
     insert into auth.verification (id, identifier, value, "expiresAt")
     values ($1, $2, $3, pg_catalog.now() + pg_catalog.make_interval(secs => $4))`,
    [randomUUID(), identifier, value, expiresInSeconds],
  );
}

/** Takes a value out, so that no other request gets it; undefined when there is none or it has expired. */
export async function takeValue(pool: EnginePool, identifier: string): Promise<string | undefined> {
  const rows = await queryRows<{ value: string; isAlive: boolean }>(
    pool,
    `delete from auth.verification where identifier = $1
     returning value, "expiresAt" > pg_catalog.now() as "isAlive"`,
    [identifier],
  );
  return rows.find(({ isAlive }) => isAlive)?.value;
}

/**
 * Whether `digest` is the one kept under `identifier`, which it then no longer is. Every call is a guess, and
 * `maxGuesses` of them are all there are, however many come at once.
 */
export async function guessValue(
  pool: EnginePool,
  guess: { readonly identifier: string; readonly digest: string; readonly maxGuesses: number },
): Promise<boolean> {
  const { identifier, digest, maxGuesses } = guess;
  const counted = await queryRows<{ digest: string }>(
    pool,
    `update auth.verification
     set value = pg_catalog.split_part(value, ':', 1) || ':' || (pg_catalog.split_part(value, ':', 2)::pg_catalog.int4 + 1)
     where identifier = $1 and "expiresAt" > pg_catalog.now() and pg_catalog.split_part(value, ':', 2)::pg_catalog.int4 < $2
     returning pg_catalog.split_part(value, ':', 1) as digest`,
    [identifier, maxGuesses],
  );
  if (counted[0]?.digest !== digest) return false;
  const taken = await queryRows(
    pool,
    `delete from auth.verification
     where identifier = $1 and pg_catalog.split_part(value, ':', 1) = $2 returning 1`,
    [identifier, digest],
  );
  return taken.length > 0;
}

/** A digest with a counter beside it, as {@link guessValue} expects it. */
export function guessable(digest: string): string {
  return `${digest}:0`;
}
