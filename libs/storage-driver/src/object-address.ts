import type { ObjectAddress } from './storage-driver.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SLUG = /^[a-z0-9_][a-z0-9_-]{0,62}$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE = /[\0-\x1f\x7f\\]/;

/** Whether the text is a version: no other text becomes part of a path. */
export function isVersion(text: string): boolean {
  return UUID.test(text);
}

/** Throws a TypeError unless the text is a version. */
export function assertVersion({ version }: ObjectAddress): void {
  if (!isVersion(version)) throw new TypeError('The version of an object is a UUID in lower case');
}

/**
 * Throws a TypeError for an address that checked input cannot contain: a store that treats names as paths must never
 * see a segment that leads elsewhere.
 */
export function assertAddress(address: ObjectAddress): void {
  assertVersion(address);
  if (!SLUG.test(address.bucket)) throw new TypeError('The bucket of an object is a slug');
  const isUnsafe =
    UNSAFE.test(address.key) ||
    address.key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
  if (isUnsafe) throw new TypeError('The key of an object is a plain path');
}
