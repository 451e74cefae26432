// Password hashes. New ones are Argon2id; other formats of imported accounts are accepted, and replaced when their
// owner signs in. The cost of a hash is checked before it is computed, so that an import of accounts cannot choose how
// much memory a sign-in takes.
import { hash, parseOptions, verify, type ParsedHashOptions } from '@node-rs/argon2';
import { isReadWholeByBcrypt, verifyBcrypt } from './bcrypt.js';
import { isEngineScrypt, verifyEngineScrypt } from './engine-scrypt.js';
import { verifyFirebaseScrypt } from './firebase-scrypt.js';
import { normalizePassword } from './normal-form.js';

/** OWASP's smallest recommended cost for Argon2id: 19 MiB, two passes, one lane; about 10 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The package's numbers for Argon2id and its version 1.3; its enums exist for the compiler only. */
const argon2id = 2;
const version13 = 1;

const maxMemoryKib = 256 * 1024;
/** Memory times passes. */
const maxWorkKib = 1024 * 1024;
const maxParallelism = 16;

/** Longer than any hash of the formats below. */
const maxHashLength = 1024;

/** The Argon2id hash of a normalized password, in the PHC format that names its own parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), cost);
}

/**
 * {@link hashPassword} for a password that cannot be right. It takes the time of a comparison that fails, so that an
 * unknown account is answered as late as a known one.
 */
export async function hashInVain(password: string): Promise<string> {
  const made = await hashPassword(password);
  if (formsOf(password).length > 1) await hash(password, cost);
  return made;
}

/** Whether `password` matches `passwordHash`, as {@link matchingForm} decides it. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return (await matchingForm(passwordHash, password)) !== undefined;
}

/**
 * Returns the form of `password` that `passwordHash` was made of: the normalized one, or the text as it was sent, which
 * hashes of other systems and of earlier releases were made of. Undefined if the password is wrong. Hashes are Argon2
 * in PHC format, bcrypt, Firebase's scrypt, or better-auth's scrypt. Another format, a malformed hash and a hash that
 * costs too much match no password.
 */
export async function matchingForm(
  passwordHash: string,
  password: string,
): Promise<string | undefined> {
  for (const form of formsOf(password)) if (await fits(passwordHash, form)) return form;
  return undefined;
}

/** The forms that a hash may have been made of. A password that is normalized as it was sent has one. */
function formsOf(password: string): readonly string[] {
  const normalized = normalizePassword(password);
  return normalized === password ? [password] : [normalized, password];
}

async function fits(passwordHash: string, password: string): Promise<boolean> {
  if (passwordHash.length > maxHashLength) return false;
  if (passwordHash.startsWith('$argon2')) return verifyArgon2(passwordHash, password);
  if (passwordHash.startsWith('$2')) return verifyBcrypt(passwordHash, password);
  if (passwordHash.startsWith('$fbscrypt$')) return verifyFirebaseScrypt(passwordHash, password);
  return isEngineScrypt(passwordHash) && verifyEngineScrypt(passwordHash, password);
}

/**
 * Whether a hash that was made of `form` should be replaced by {@link hashPassword}. If the form is longer than bcrypt
 * reads, its bcrypt hash is kept: the typed password need not be the chosen one.
 */
export function needsRehash(passwordHash: string, form: string): boolean {
  if (passwordHash.startsWith('$2')) return isReadWholeByBcrypt(form);
  if (normalizePassword(form) !== form) return true;
  const options = argon2Options(passwordHash);
  return (
    options?.algorithm !== argon2id ||
    options.version !== version13 ||
    options.memoryCost !== cost.memoryCost ||
    options.timeCost !== cost.timeCost ||
    options.parallelism !== cost.parallelism
  );
}

async function verifyArgon2(passwordHash: string, password: string): Promise<boolean> {
  const options = argon2Options(passwordHash);
  if (!options) return false;
  const { memoryCost, timeCost, parallelism } = options;
  const isBounded =
    memoryCost <= maxMemoryKib &&
    memoryCost * timeCost <= maxWorkKib &&
    parallelism <= maxParallelism;
  return isBounded && verify(passwordHash, password);
}

/** The parameters of an Argon2 hash; undefined if it is not one. */
function argon2Options(passwordHash: string): ParsedHashOptions | undefined {
  try {
    return parseOptions(passwordHash);
  } catch {
    // The parser fails only if the text is not a hash.
    return undefined;
  }
}
