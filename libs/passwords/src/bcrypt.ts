import { verify } from '@node-rs/bcrypt';

const NOTATION = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** About two seconds of a core; each step doubles it. */
const maxCost = 15;

/** bcrypt reads this much of a password and forgets the rest. */
const readBytes = 72;

/** Whether `password` made a bcrypt hash (`$2a$`, `$2b$`, `$2y$`). One that costs more than 15 fits no password. */
export async function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const found = NOTATION.exec(hash);
  if (!found || Number(found[1]) > maxCost) return false;
  return verify(password, hash);
}

/** Whether bcrypt reads the whole password: two longer ones may fit the same hash. */
export function isReadWholeByBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= readBytes;
}
