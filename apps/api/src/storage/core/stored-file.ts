// A file as the database knows it. Rows come as one JSON value, which both kinds of connection read alike.
import type { BlobAddress } from '#libs/storage-driver';

export type Visibility = 'public' | 'private';

export interface StoredFile {
  /** A UUID in lower case. */
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  /** The immutable name of the bytes. */
  readonly version: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
  readonly visibility: Visibility;
  readonly ownerId: string | null;
  /** Lower case hexadecimal. */
  readonly sha256: string | null;
  readonly cacheControl: string | null;
  readonly userMetadata: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly driver: 'local' | 's3';
  /** The key under which the bytes were stored. */
  readonly storedKey: string;
  readonly isBucketPublic: boolean;
}

/** The JSON object of a row of files, as SQL; `isBucketPublic` is an expression, of a bucket `b` beside it if not given. */
export function fileJson(file: string, isBucketPublic = 'b.public'): string {
  return `json_build_object('id', ${file}.id, 'bucket', ${file}.bucket, 'key', ${file}.key,
   'version', ${file}.version, 'size', ${file}.size, 'mediaType', ${file}.media_type,
   'visibility', ${file}.visibility, 'ownerId', ${file}.owner_id, 'sha256', encode(${file}.sha256, 'hex'),
   'cacheControl', ${file}.cache_control, 'userMetadata', ${file}.user_metadata,
   'createdAt', ${file}.created_at, 'updatedAt', ${file}.updated_at, 'driver', ${file}.driver,
   'storedKey', ${file}.stored_key, 'isBucketPublic', ${isBucketPublic})`;
}

/** The file that such an object is. */
export function readStoredFile(value: unknown): StoredFile {
  // Written by the statements above, from columns whose constraints say the same.
  const file = value as StoredFile;
  return { ...file, createdAt: isoTime(file.createdAt), updatedAt: isoTime(file.updatedAt) };
}

/** Where the bytes of the file are in its driver. */
export function blobAddress({ bucket, storedKey, version }: StoredFile): BlobAddress {
  return { bucket, key: storedKey, version };
}

/** A time of the database in the form of `Date.toISOString`. */
export function isoTime(text: string): string {
  return new Date(text).toISOString();
}
