import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const iterations = 4096;
const saltBytes = 16;
const derive = promisify(pbkdf2);

/**
 * Returns the stored form of a password in PostgreSQL (SCRAM-SHA-256, RFC 5802). `create role` receives it instead of
 * the password, so that the password is in no statement and thus in no log of the server. The password must be ASCII,
 * which SASLprep leaves unchanged.
 */
export async function scramVerifier(
  password: string,
  salt: Buffer = randomBytes(saltBytes),
): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
