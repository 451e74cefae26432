import { createId } from '@paralleldrive/cuid2';
import type { EnginePool } from './engine-pool.js';

/** The algorithm of every JWT: ECDSA with P-256 and SHA-256 (RFC 7518 §3.4). */
export const jwtAlgorithm = 'ES256';

/** A key pair; the keys are JWKs as JSON text. */
interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface SigningKey extends KeyPair {
  readonly id: string;
  readonly createdAt: Date;
  readonly alg: typeof jwtAlgorithm;
}

// Any number that no other advisory lock of a project database has.
const lockId = 7_305_804_402_566_105;

/**
 * Stores a key pair unless the project has one, and answers the one that is stored. Many requests may
 * find no key at the same moment, in several processes; one of them makes the project's key.
 */
export async function storeFirstKey(pool: EnginePool, pair: KeyPair): Promise<SigningKey> {
  const client = await pool.connect();
  try {
    await client.query('begin', []);
    // The lock is a statement of its own: the next one then sees what its last holder committed.
    await client.query('select pg_advisory_xact_lock($1)', [lockId]);
    await client.query(
      `insert into auth.jwks (id, "publicKey", "privateKey", "createdAt", alg, crv)
       select $1, $2, $3, now(), $4, 'P-256' where not exists (select from auth.jwks)`,
      [createId(), pair.publicKey, pair.privateKey, jwtAlgorithm],
    );
    const { rows } = await client.query<Omit<SigningKey, 'alg'>>(
      'select id, "publicKey", "privateKey", "createdAt" from auth.jwks order by "createdAt" limit 1',
      [],
    );
    await client.query('commit', []);
    const [stored] = rows;
    if (!stored) throw new Error('the signing key was not stored');
    return { ...stored, alg: jwtAlgorithm };
  } catch (error) {
    // A connection that cannot roll back is lost; the first failure is the one that says why.
    await client.query('rollback', []).catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
