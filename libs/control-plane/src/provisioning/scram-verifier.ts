import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { LoginKind } from './names.js';

/** The default of PostgreSQL, and the minimum that RFC 7677 §4 recommends. */
const defaultIterations = 4096;
const saltBytes = 16;
const derive = promisify(pbkdf2);

interface VerifierOptions {
  readonly salt?: Buffer;
  /** How often the password is hashed, also by the client at each connection. */
  readonly iterations?: number;
}

/**
 * Returns the stored form of a password in PostgreSQL (SCRAM-SHA-256, RFC 5802). `create role` receives it instead of
 * the password, so that the password is in no statement and thus in no log of the server. The password must be ASCII,
 * which SASLprep leaves unchanged.
 */
export async function scramVerifier(
  password: string,
  { salt = randomBytes(saltBytes), iterations = defaultIterations }: VerifierOptions = {},
): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/**
 * Returns the verifier of a login's password, which must be random. Many iterations slow down guesses of a password and
 * each connection, so the logins that only the platform uses have one. The owner's tools may refuse fewer than 4096.
 */
export function loginVerifier(kind: LoginKind, password: string): Promise<string> {
  return scramVerifier(password, { iterations: kind === 'owner' ? defaultIterations : 1 });
}
