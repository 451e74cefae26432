import { verify } from '@node-rs/bcrypt';

const NOTATION = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** About two seconds of a core; each step doubles it. */
const maxCost = 15;

/** bcrypt reads only these bytes of a password. */
const readBytes = 72;

/**
 * Whether `password` matches a bcrypt hash (`$2a$`, `$2b$`, `$2y$`). A hash with a cost above 15 matches no password.
 */
export async function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const found = NOTATION.exec(hash);
  if (!found || Number(found[1]) > maxCost) return false;
  return verify(password, hash);
}

/** Whether bcrypt reads the whole password: two longer passwords may match the same hash. */
export function isReadWholeByBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= readBytes;
}
