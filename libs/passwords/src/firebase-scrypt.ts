// Password hashes of accounts from Firebase, in the notation of Supabase Auth: `n` is the memory cost (the logarithm of
// N), `r` the rounds, `ss` the salt separator and `sk` the signer key of the Firebase project. The hash is not the
// scrypt key itself: it is the signer key, encrypted with the scrypt key.
import { createCipheriv, timingSafeEqual } from 'node:crypto';
import { deriveScryptKey, scryptBytes, type ScryptCost } from './scrypt.js';

// The padding may be missing, and Firebase's command line uses the URL-safe alphabet.
const BASE64 = '([\\w+/-]*={0,2})';
const NOTATION = new RegExp(
  `^\\$fbscrypt\\$v=1,n=(\\d{1,2}),r=(\\d{1,2}),p=(\\d{1,2}),ss=${BASE64},sk=${BASE64}\\$${BASE64}\\$${BASE64}$`,
);

const keyBytes = 32;
/** Firebase's own signer keys have 64 bytes. A short key would make a hash that many passwords match. */
const minSignerBytes = 32;
/** Four times as much as Firebase allows. */
const maxMemoryBytes = 65 * 1024 * 1024;
const maxParallelism = 4;

interface FirebaseHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly signerKey: Buffer;
  readonly encrypted: Buffer;
}

/**
 * Whether `password` matches a Firebase hash. A hash that is malformed or needs more than 65 MiB matches no password.
 */
export async function verifyFirebaseScrypt(hash: string, password: string): Promise<boolean> {
  const parsed = parseHash(hash);
  if (!parsed) return false;
  const { cost, salt, signerKey, encrypted } = parsed;
  const key = await deriveScryptKey(password, { salt, cost, bytes: keyBytes });
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const expected = Buffer.concat([cipher.update(signerKey), cipher.final()]);
  return expected.length === encrypted.length && timingSafeEqual(expected, encrypted);
}

function parseHash(hash: string): FirebaseHash | undefined {
  const found = NOTATION.exec(hash);
  if (!found) return undefined;
  const [n, r, p] = found.slice(1, 4).map(Number);
  const [separator, signerKey, salt, encrypted] = found
    .slice(4)
    .map((text) => Buffer.from(text, 'base64'));
  if (!n || !r || !p || !separator || !signerKey || !salt || !encrypted) return undefined;
  const cost = { logN: n, r, p };
  if (scryptBytes(cost) > maxMemoryBytes || p > maxParallelism) return undefined;
  if (signerKey.length < minSignerBytes) return undefined;
  return { cost, salt: Buffer.concat([salt, separator]), signerKey, encrypted };
}
