import { hash, verify } from '@node-rs/argon2';

/** OWASP's smallest recommended cost for Argon2id: 19 MiB, two passes, one lane; about 10 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The Argon2id hash of a password, in the PHC format that names its own parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Whether `password` made `passwordHash`. A hash of a format that is not ours fits no password. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  if (!passwordHash.startsWith('$argon2')) return false;
  return verify(passwordHash, password);
}
