// The keys that tokens are signed with. One is current; replaced ones stay published for a while, without
// their private halves, so that tokens of theirs still verify. The private keys are stored as they are and
// do not depend on any other secret (specification: Authentication).
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { createId } from '@paralleldrive/cuid2';
import { fail } from '#libs/errors';
import {
  inEngineTransaction,
  queryRows,
  type EnginePool,
  type RunStatement,
} from './engine-pool.js';
import { fieldIn } from './fields.js';

/** The algorithm of every JWT: ECDSA with P-256 and SHA-256 (RFC 7518 §3.4). */
export const jwtAlgorithm = 'ES256';

/** A published key. The keys are JWKs as JSON text; the private one of a replaced key is empty. */
export interface SigningKey {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly createdAt: Date;
  /** Until when a replaced key is published; null for the current one. */
  readonly expiresAt: Date | null;
  readonly alg: string | null;
}

/** When keys are replaced; both in days. */
export interface KeyRotation {
  /** 0: only on request. */
  readonly rotateAfterDays: number;
  /** For how long a replaced key stays published. */
  readonly graceDays: number;
}

// Rotations take turns by the table of the keys, which no login of a project may lock. An advisory lock is open to
// every login, also to a login that keeps it.
const takeTurn = `lock table auth.jwks in share row exclusive mode`;
/** A rotation that waits longer fails with CONCURRENT_CHANGE, and the keys stay as they are. */
const turnWaitMs = 5000;

const isPublished = `("expiresAt" is null or "expiresAt" > pg_catalog.now())`;
const currentFirst = `order by "expiresAt" is null desc, "expiresAt" desc, "createdAt" desc`;
const listStatement = `select id, "publicKey", "privateKey", "createdAt", "expiresAt", alg
  from auth.jwks where ${isPublished} ${currentFirst}`;

/** A published key without its private half. */
export type PublishedKey = Pick<SigningKey, 'id' | 'createdAt' | 'expiresAt' | 'alg'>;

/** Returns the published keys, the current one first. Empty before the first token: nothing is made here. */
export function listSigningKeys(pool: EnginePool): Promise<readonly PublishedKey[]> {
  return queryRows<PublishedKey>(
    pool,
    `select id, "createdAt", "expiresAt", alg from auth.jwks where ${isPublished} ${currentFirst}`,
  );
}

/**
 * The published keys, the current one first. Makes the first key, and a new one when the current one has
 * had its time; however many ask at once, in however many processes, there is one.
 */
export async function currentKeys(
  pool: EnginePool,
  { rotateAfterDays, graceDays }: KeyRotation,
): Promise<readonly SigningKey[]> {
  const keys = await listKeys(pool);
  const current = currentOf(keys);
  const maxAgeMs = rotateAfterDays === 0 ? Infinity : rotateAfterDays * 86_400_000;
  if (current && Date.now() - current.createdAt.getTime() <= maxAgeMs) return keys;
  await replaceKey(pool, graceDays, ({ id }) => id === current?.id);
  return listKeys(pool);
}

/** A key that takes the place of the others. */
export interface RotatedKey {
  /** The `kid` of tokens from now on. */
  readonly keyId: string;
  /** Until when the replaced keys are published; undefined when there is none. */
  readonly oldKeysUntil: Date | undefined;
}

/**
 * Makes a new signing key at once. The key before it stays published for `graceDays`, 0 to end it now: tokens
 * of it are refused as soon as verifiers fetch the keys again. Rotations at the same time make one key.
 */
export async function rotateSigningKeys(
  pool: EnginePool,
  { graceDays }: Pick<KeyRotation, 'graceDays'>,
): Promise<RotatedKey> {
  const askedAt = performance.now();
  // A key that is younger than the request was made for another request at the same time.
  const isReplaced = ({ ageMs, lookedAt }: Aged): boolean => ageMs >= lookedAt - askedAt;
  await replaceKey(pool, graceDays, isReplaced);
  const keys = await listKeys(pool);
  const current = currentOf(keys);
  if (!current) throw new Error('the signing key was not stored');
  const ends = keys.flatMap(({ expiresAt }) => expiresAt ?? []);
  return { keyId: current.id, oldKeysUntil: ends[0] };
}

function listKeys(pool: EnginePool): Promise<readonly SigningKey[]> {
  return queryRows<SigningKey>(pool, listStatement);
}

function currentOf(keys: readonly SigningKey[]): SigningKey | undefined {
  return keys.find(({ expiresAt }) => expiresAt === null);
}

/** The current key and how long ago it was made, by the clock of the database. */
interface Aged {
  readonly id: string;
  readonly ageMs: number;
  /** When this was asked for, by the clock of the process: its answer may arrive much later. */
  readonly lookedAt: number;
}

/** `isReplaced` says whether the key that is current now is to go: another one may have come since it was read. */
async function replaceKey(
  pool: EnginePool,
  graceDays: number,
  isReplaced: (current: Aged) => boolean,
): Promise<void> {
  const pair = await newKeyPair();
  await inEngineTransaction(pool, async (run) => {
    await run(`set local lock_timeout = ${turnWaitMs}`);
    // The lock is a statement of its own: the next one then sees what its last holder committed.
    await run(takeTurn).catch(refuseLongWait);
    const lookedAt = performance.now();
    const [current] = await run<Omit<Aged, 'lookedAt'>>(
      `select id, 1000 * extract(epoch from pg_catalog.clock_timestamp() - "createdAt")::pg_catalog.float8 as "ageMs"
       from auth.jwks where "expiresAt" is null order by "createdAt" desc limit 1`,
    );
    if (!current || isReplaced({ ...current, lookedAt })) await storeCurrent(run, pair, graceDays);
  });
}

/** Throws CONCURRENT_CHANGE for `lock_not_available`, every other failure as it is. */
function refuseLongWait(error: unknown): never {
  if (fieldIn(error, 'code') !== '55P03') throw error;
  throw fail('CONCURRENT_CHANGE', {}, { cause: error });
}

async function storeCurrent(run: RunStatement, pair: KeyPair, graceDays: number): Promise<void> {
  await run(`delete from auth.jwks where not ${isPublished}`);
  // A private key that is deleted cannot be stolen.
  await run(
    `update auth.jwks set "privateKey" = '', "expiresAt" = pg_catalog.now() + pg_catalog.make_interval(days => $1)
     where "expiresAt" is null`,
    [graceDays],
  );
  await run(
    `insert into auth.jwks (id, "publicKey", "privateKey", "createdAt", alg, crv)
     values ($1, $2, $3, pg_catalog.clock_timestamp(), $4, 'P-256')`,
    [createId(), pair.publicKey, pair.privateKey, jwtAlgorithm],
  );
}

interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const generate = promisify(generateKeyPair);

async function newKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return {
    publicKey: JSON.stringify(publicKey.export({ format: 'jwk' })),
    privateKey: JSON.stringify(privateKey.export({ format: 'jwk' })),
  };
}
