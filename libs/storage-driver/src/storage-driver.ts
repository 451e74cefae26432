// What a place for the bytes of files can do. A blob is written once under a version that nobody used before
// and never changed: replacing a file is a new version. A driver knows nothing of rows, settings and HTTP.
import type { Readable, Writable } from 'node:stream';

import type { DriverKind } from '#libs/wire';

/** Where the bytes of one version of a file are. The version alone tells them from all others of the project. */
export interface BlobAddress {
  /** Slug of the bucket. */
  readonly bucket: string;
  /** Path of the file in its bucket when the blob was written; a moved file keeps the address of its bytes. */
  readonly key: string;
  /** A UUID in lower case. */
  readonly version: string;
}

export interface WriteOptions {
  /** More bytes than this end the write with FILE_TOO_LARGE. S3 takes 160 GB of unknown length at most. */
  readonly maxBytes: number;
  /** Kept by S3 alone, for links that lead there directly. */
  readonly mediaType: string;
  /** Length of the content in bytes where it is known; any other length ends the write. S3 is faster with it. */
  readonly size?: number | undefined;
  /** Hashing costs about a third of the speed of a local write. */
  readonly withSha256?: boolean;
  /**
   * Is shown the first {@link headBytes} bytes, or all when there are fewer, before anything is stored.
   * What it throws ends the write and is what the write throws.
   */
  readonly inspectHead?: (head: Buffer) => void;
  /** Ends the write with REQUEST_ABORTED. */
  readonly signal: AbortSignal;
}

/** How much of the content `inspectHead` is shown. */
export const headBytes = 4096;

export interface WrittenBlob {
  /** In bytes. */
  readonly size: number;
  /** Lower case hexadecimal; undefined unless it was asked for. */
  readonly sha256: string | undefined;
}

/** What `append` must know of a blob that comes in over several requests. */
export interface AppendOptions {
  /** Of the whole blob in bytes; the same each time. */
  readonly size: number;
  /** How many of them are durable. What was stored past them is dropped and sent again. */
  readonly offset: number;
  /** What `onDurable` was told last; undefined before the first time. */
  readonly state: unknown;
  readonly mediaType: string;
  /** Like that of a write; asked when the content begins the blob. */
  readonly inspectHead?: (head: Buffer) => void;
  /**
   * Told each time that more bytes are durable, and waited for: what it has not kept is sent again. `state`
   * has a JSON form.
   */
  readonly onDurable: (offset: number, state: unknown) => Promise<void>;
  /** Ends the content with REQUEST_ABORTED; what has come in until then is kept. */
  readonly signal: AbortSignal;
}

export interface ReadOptions {
  /** First byte, counted from 0. */
  readonly start?: number | undefined;
  /** Last byte, included. Past the end means to the end. */
  readonly end?: number | undefined;
  /** Destroys the body, whether the transfer has begun or not. */
  readonly signal?: AbortSignal | undefined;
}

export interface OpenBlob {
  /** Holds a descriptor or a connection: read it to its end or destroy it. */
  readonly body: Readable;
  /** Of the whole blob in bytes, whatever range was asked for. */
  readonly size: number;
  /**
   * Writes the body into `out` instead of having it read, and leaves `out` open; the way for large answers:
   * buffers are used again, which more than doubles the speed. Rejects when either side fails. The local driver
   * alone has it.
   */
  readonly sendTo?: (out: Writable) => Promise<void>;
}

export interface BlobFacts {
  /** In bytes. */
  readonly size: number;
  /** Undefined where the driver keeps none. */
  readonly mediaType: string | undefined;
}

export interface StoredBlob {
  /**
   * Good for `remove`. The local driver knows versions alone: bucket and key are empty there. S3 gives the
   * key as it is in the store, which for a very long key is its beginning.
   */
  readonly address: BlobAddress;
  /** In bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface PresignWriteOptions {
  /** The exact length in bytes: the store refuses any other. */
  readonly size: number;
  /** The exact media type: the store refuses any other. */
  readonly mediaType: string;
  readonly expiresInSeconds: number;
}

export interface PresignedWrite {
  readonly url: string;
  /** To be sent with the bytes exactly so; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface PresignReadOptions {
  readonly expiresInSeconds: number;
  /** Headers that the store answers with instead of its own. */
  readonly responseHeaders?: {
    readonly contentType?: string;
    readonly contentDisposition?: string;
    readonly cacheControl?: string;
  };
}

/**
 * The blobs of one project. Every method may throw STORAGE_UNAVAILABLE (503, the cause says why), and for a
 * malformed address a TypeError, which is a mistake of the program.
 */
export interface StorageDriver {
  readonly kind: DriverKind;
  /**
   * Stores the bytes durably: once it resolves they survive a power cut. On any failure nothing is left, and
   * the content is not destroyed, so that its sender can still be answered; errors of the content itself are
   * thrown as they are. Throws FILE_TOO_LARGE (413), UPLOAD_SIZE_MISMATCH (400), REQUEST_ABORTED (499),
   * STORAGE_FULL (507), STORAGE_OBJECT_EXISTS (409, the local driver alone), what `inspectHead` throws.
   */
  write(address: BlobAddress, content: Readable, options: WriteOptions): Promise<WrittenBlob>;
  /**
   * Stores the next bytes of a blob that comes in over several requests, to any process. Content that ends
   * early, in an error or not, leaves what came before; errors of the content are thrown as they are. One
   * request at a time: the caller sees to that. Throws FILE_TOO_LARGE, REQUEST_ABORTED, STORAGE_FULL, what
   * `inspectHead` throws, and STORAGE_OBJECT_MISSING when what came before is not there any more.
   */
  append(address: BlobAddress, content: Readable, options: AppendOptions): Promise<void>;
  /**
   * Makes a blob of appended bytes when all are durable; again is fine. Throws STORAGE_OBJECT_MISSING,
   * STORAGE_FULL.
   */
  complete(
    address: BlobAddress,
    options: Pick<AppendOptions, 'size' | 'state' | 'mediaType'>,
  ): Promise<void>;
  /** Removes appended bytes. Those that nobody abandons go with `remove` and `removeStale`. */
  abandon(address: BlobAddress, state: unknown): Promise<void>;
  /**
   * One range or the whole; undefined when it is not there. A body that was opened stays whole while the blob
   * is removed. Throws INVALID_RANGE (416) when the range begins behind the end, REQUEST_ABORTED (499).
   */
  read(address: BlobAddress, options?: ReadOptions): Promise<OpenBlob | undefined>;
  /**
   * The whole blob at once, undefined when it is not there. Costs a third of a `read`, for blobs of which many are
   * asked for; of a longer one than `maxBytes` only so much is given. Drivers whose blobs are far away have no such.
   */
  readSmall?(address: BlobAddress, maxBytes: number): Promise<Buffer | undefined>;
  /** Undefined when it is not there. */
  stat(address: BlobAddress): Promise<BlobFacts | undefined>;
  /** As durable as a write. Throws STORAGE_OBJECT_MISSING (404), STORAGE_FULL, STORAGE_OBJECT_EXISTS. */
  copy(from: BlobAddress, to: BlobAddress): Promise<void>;
  /** Absent is fine. What was appended, but not completed, goes too. */
  remove(address: BlobAddress): Promise<void>;
  /** Everything that is stored for the project, in no particular order; ends with REQUEST_ABORTED. */
  list(options: { readonly signal: AbortSignal }): AsyncIterable<StoredBlob>;
  /**
   * Removes what writes left unfinished that were begun (S3) or last grew (local) before then; how many.
   * `kept` are versions that are still being appended to.
   */
  removeStale(olderThan: Date, kept?: ReadonlySet<string>): Promise<number>;
  /**
   * Whether the store refuses a second upload by a URL of `presignWrite`; otherwise the URL replaces the blob until
   * it ends. Keeps the answer of the store; without an answer it is false, and the store is asked again. S3 alone.
   */
  presignsOnce?(): Promise<boolean>;
  /** A URL that takes an upload of exactly this length and type. S3 alone. */
  presignWrite?(address: BlobAddress, options: PresignWriteOptions): Promise<PresignedWrite>;
  /** A URL that gives the bytes to whoever has it. S3 alone. */
  presignRead?(address: BlobAddress, options: PresignReadOptions): Promise<string>;
  /** Removes all blobs of the project and all unfinished writes: the project is deleted. */
  removeAll(): Promise<void>;
  /** Ends idle connections. Transfers under way are not waited for. */
  close(): Promise<void>;
}
