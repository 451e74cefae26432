// The names of blobs in an S3 bucket: `<slug>/<ref>/<key>/<version>`. The slug leads, so that the operator
// finds the files of a bucket together; the ref comes next, so that projects may share one store.
import { assertAddress, isVersion } from '../blob-address.js';
import type { BlobAddress } from '../storage-driver.js';

/** The longest name that S3 takes, in bytes of UTF-8 (S3 User Guide, "Naming Amazon S3 objects"). */
const maxNameBytes = 1024;

/**
 * The name of a blob. Of a key that is too long for the name its beginning is taken: the version tells blobs
 * apart, the key is there for people who look into the store. Throws a TypeError for a malformed address.
 */
export function objectName(ref: string, address: BlobAddress): string {
  assertAddress(address);
  const prefix = projectPrefix(ref, address.bucket);
  const room = maxNameBytes - Buffer.byteLength(prefix) - address.version.length - 1;
  return `${prefix}${cutKey(address.key, room)}/${address.version}`;
}

/** What the names of all blobs of the project in one bucket begin with. */
export function projectPrefix(ref: string, slug: string): string {
  return `${slug}/${ref}/`;
}

/** The address behind a name; undefined for an object that is not a blob of this project. */
export function addressOf(ref: string, name: string): BlobAddress | undefined {
  const [slug, owner, ...rest] = name.split('/');
  const version = rest.pop();
  if (slug === undefined || owner !== ref || version === undefined) return undefined;
  if (!isVersion(version) || rest.length === 0) return undefined;
  return { bucket: slug, key: rest.join('/'), version };
}

/** The first `maxBytes` bytes of the key at most, without half a character or a slash at the end. */
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
