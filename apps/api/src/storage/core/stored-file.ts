// A file as the database knows it. Rows come as one JSON value, which both kinds of connection read alike.
import type { ObjectAddress } from '#libs/storage-driver';
import type { DriverKind } from '#libs/wire';

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
  /** Null in lists for more than new files may have. */
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly driver: DriverKind;
  /** The key under which the bytes were stored. */
  readonly storedKey: string;
  readonly isBucketPublic: boolean;
}

/** Of metadata in PostgreSQL's text form; 8 KiB of JSON have less. */
const listedMetadataBytes = 12 * 1024;
/** Metadata that takes more room than this in its row, compressed or not, is above the limit in any case. */
const listedMetadataRoom = 16 * 1024;

/** Expressions of SQL in place of those that {@link fileJson} takes by itself. */
export interface FileJsonParts {
  /** By default that of a bucket `b` beside the file. */
  readonly isBucketPublic?: string;
  readonly userMetadata?: string;
  readonly followsBucket?: string;
}

/** The metadata of a file in a list, as SQL: null where it is larger than that of new files may be. */
export function listedMetadata(file: string): string {
  const metadata = `${file}.user_metadata`;
  return `case
    when pg_catalog.pg_column_size(${metadata}) operator(pg_catalog.>) ${listedMetadataRoom} then null
    when pg_catalog.octet_length(${metadata}::pg_catalog.text) operator(pg_catalog.<=) ${listedMetadataBytes}
    then ${metadata}
  end`;
}

/**
 * Whether a file that callers read as a row of `storage.files` is public through its bucket, as SQL. The function costs
 * about as much as the rest of a file in a list, so it is called in public buckets only.
 */
export function followsBucketOf(file: string, isBucketPublic: string): string {
  return `case when ${file}.visibility operator(pg_catalog.=) 'private' and ${isBucketPublic}
    then storage.follows_bucket(${file}.id) else false end`;
}

/** The JSON object of a row of files, as SQL. */
export function fileJson(file: string, parts: FileJsonParts = {}): string {
  const {
    isBucketPublic = 'b.public',
    userMetadata = `${file}.user_metadata`,
    followsBucket = `${file}.follows_bucket`,
  } = parts;
  return `pg_catalog.json_build_object('id', ${file}.id, 'bucket', ${file}.bucket, 'key', ${file}.key,
   'version', ${file}.version, 'size', ${file}.size, 'mediaType', ${file}.media_type,
   'visibility', ${file}.visibility, 'ownerId', ${file}.owner_id, 'sha256', pg_catalog.encode(${file}.sha256, 'hex'),
   'cacheControl', ${file}.cache_control, 'userMetadata', ${userMetadata},
   'createdAt', ${file}.created_at, 'updatedAt', ${file}.updated_at, 'driver', ${file}.driver,
   'storedKey', ${file}.stored_key, 'isBucketPublic', ${isBucketPublic}, 'followsBucket', ${followsBucket})`;
}

interface FileJson extends StoredFile {
  /** Whether the file is public while its bucket is, because its uploader has not asked for a private one. */
  readonly followsBucket: boolean;
}

/** The file that such an object is. */
export function readStoredFile(value: unknown): StoredFile {
  // Written by the statements above, from columns whose constraints say the same.
  const { followsBucket, ...file } = value as FileJson;
  const visibility = file.isBucketPublic && followsBucket ? 'public' : file.visibility;
  const [createdAt, updatedAt] = [isoTime(file.createdAt), isoTime(file.updatedAt)];
  return { ...file, visibility, createdAt, updatedAt };
}

/** Where the bytes of the file are in its driver. */
export function objectAddress({ bucket, storedKey, version }: StoredFile): ObjectAddress {
  return { bucket, key: storedKey, version };
}

/** A time of the database in the form of `Date.toISOString`. */
export function isoTime(text: string): string {
  return new Date(text).toISOString();
}
