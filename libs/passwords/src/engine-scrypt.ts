import { timingSafeEqual } from 'node:crypto';
import { deriveScryptKey } from './scrypt.js';

const NOTATION = /^([0-9a-f]{32}):([0-9a-f]{128})$/;
const cost = { logN: 14, r: 16, p: 1 } as const;

/** Whether a hash has the form that better-auth writes by default: `<hex salt>:<hex key>`. */
export function isEngineScrypt(hash: string): boolean {
  return NOTATION.test(hash);
}

/** Whether a normalized `password` matches a hash of better-auth; accounts from other installations have such hashes. */
export async function verifyEngineScrypt(hash: string, password: string): Promise<boolean> {
  const [, salt, key] = NOTATION.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'hex');
  // The salt is the hexadecimal text itself, not the decoded bytes.
  const made = await deriveScryptKey(password, { salt, cost, bytes: 64 });
  return timingSafeEqual(made, expected);
}
