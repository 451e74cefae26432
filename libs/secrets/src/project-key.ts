import { createHash, randomBytes } from 'node:crypto';

export const publishableKeyPrefix = 'svc_publishable_';
export const secretKeyPrefix = 'svc_secret_';

/** Returns a new project key of a kind: the prefix and 32 random bytes. Shown once, stored as its hash. */
export function newProjectKey(kind: 'publishable' | 'secret'): string {
  const prefix = kind === 'secret' ? secretKeyPrefix : publishableKeyPrefix;
  return prefix + randomBytes(32).toString('base64url');
}

/** Returns the stored form of a key: its SHA-256 in hex. The key has 256 random bits, so no salt is needed. */
export function hashProjectKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
