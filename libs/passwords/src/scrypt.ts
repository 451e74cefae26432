import { scrypt } from 'node:crypto';

const bytesPerBlock = 128;

/** The cost of a scrypt key (RFC 7914 §2). */
export interface ScryptCost {
  /** The binary logarithm of N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** The memory that a key of this cost needs. */
export function scryptBytes({ logN, r, p }: ScryptCost): number {
  return bytesPerBlock * r * (2 ** logN + p);
}

interface Derivation {
  readonly salt: string | Buffer;
  readonly cost: ScryptCost;
  readonly bytes: number;
}

/** Returns the scrypt key of a password (its UTF-8). Runs on a thread of the pool. Check the cost first. */
export function deriveScryptKey(
  password: string,
  { salt, cost, bytes }: Derivation,
): Promise<Buffer> {
  const { logN, r, p } = cost;
  // The library counts slightly more than the formula.
  const options = { N: 2 ** logN, r, p, maxmem: 2 * scryptBytes(cost) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
