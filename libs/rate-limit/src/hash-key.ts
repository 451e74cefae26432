import { createHash } from 'node:crypto';

/** Replaces a key in a shared store by its hash: keys contain addresses of users, the store must not. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
