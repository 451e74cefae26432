// The names of objects in an S3 bucket: `<slug>/<ref>/<key>/<version>`. The slug comes first, so that the operator
// finds the files of a bucket together; the ref comes next, so that projects may share a store.
import { assertAddress, isVersion } from '../object-address.js';
import type { ObjectAddress } from '../storage-driver.js';

/** The longest name that S3 accepts, in bytes of UTF-8 (S3 User Guide, "Naming Amazon S3 objects"). */
const maxNameBytes = 1024;

/**
 * Returns the name of an object. A key that is too long is cut: the version identifies the object, the key helps people
 * who look into the store. Throws a TypeError for a malformed address.
 */
export function objectName(ref: string, address: ObjectAddress): string {
  assertAddress(address);
  const prefix = projectPrefix(ref, address.bucket);
  const room = maxNameBytes - Buffer.byteLength(prefix) - address.version.length - 1;
  return `${prefix}${cutKey(address.key, room)}/${address.version}`;
}

/** The common prefix of all objects of the project in one bucket. */
export function projectPrefix(ref: string, slug: string): string {
  return `${slug}/${ref}/`;
}

/** Returns the address for a name; undefined if the object is not of this project. */
export function addressOf(ref: string, name: string): ObjectAddress | undefined {
  const [slug, owner, ...rest] = name.split('/');
  const version = rest.pop();
  if (slug === undefined || owner !== ref || version === undefined) return undefined;
  if (!isVersion(version) || rest.length === 0) return undefined;
  return { bucket: slug, key: rest.join('/'), version };
}

/** At most the first `maxBytes` bytes of the key, without a partial character or a slash at the end. */
function cutKey(key: string, maxBytes: number): string {
  const bytes = Buffer.from(key);
  if (bytes.length <= maxBytes) return key;
  let end = maxBytes;
  while (isContinuation(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end).replace(/\/+$/, '');
}

/** Whether a byte of UTF-8 is inside a character (RFC 3629 section 3). */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
