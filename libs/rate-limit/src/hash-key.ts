import { createHash } from 'node:crypto';

/** What stands for a key in a shared store: keys name addresses of users, the store does not. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
