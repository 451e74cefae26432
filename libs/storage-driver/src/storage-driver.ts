// The interface of a store for the bytes of files. An object is written once under an unused version and never changed:
// replacing a file creates a new version. A driver knows nothing of rows, settings and HTTP.
import type { Readable, Writable } from 'node:stream';

import type { DriverKind } from '#libs/wire';

/** Where the bytes of one version of a file are. The version is unique in the project. */
export interface ObjectAddress {
  /** Slug of the bucket. */
  readonly bucket: string;
  /** Path of the file in its bucket at the time of the write; a moved file keeps the address of its bytes. */
  readonly key: string;
  /** A UUID in lower case. */
  readonly version: string;
}

export interface WriteOptions {
  /** More bytes than this end the write with FILE_TOO_LARGE. S3 accepts at most 160 GB of unknown length. */
  readonly maxBytes: number;
  /** Kept by S3 alone, for links that lead there directly. */
  readonly mediaType: string;
  /** Length of the content in bytes if it is known; any other length ends the write. S3 is faster with it. */
  readonly size?: number | undefined;
  /** Hashing costs about a third of the speed of a local write. */
  readonly withSha256?: boolean;
  /**
   * Receives the first {@link headBytes} bytes, or all if there are fewer, before anything is stored. If it throws, the
   * write ends with that error.
   */
  readonly inspectHead?: (head: Buffer) => void;
  /** Aborts the write with REQUEST_ABORTED. */
  readonly signal: AbortSignal;
}

/** How many bytes `inspectHead` receives. */
export const headBytes = 4096;

export interface WrittenObject {
  /** In bytes. */
  readonly size: number;
  /** Lower case hexadecimal; undefined unless `withSha256` is set. */
  readonly sha256: string | undefined;
}

/** The state of an object that arrives over several requests. */
export interface AppendOptions {
  /** Of the whole object in bytes; the same in each call. */
  readonly size: number;
  /** How many bytes are durable. Bytes stored beyond them are dropped and sent again. */
  readonly offset: number;
  /** The last `state` of `onDurable`; undefined before the first call. */
  readonly state: unknown;
  readonly mediaType: string;
  /** As for a write; called when the content begins the object. */
  readonly inspectHead?: (head: Buffer) => void;
  /**
   * Called and awaited each time more bytes are durable. Bytes that it has not recorded must be sent again. `state` can
   * be written as JSON.
   */
  readonly onDurable: (offset: number, state: unknown) => Promise<void>;
  /** Aborts with REQUEST_ABORTED; the bytes received until then are kept. */
  readonly signal: AbortSignal;
}

export interface ReadOptions {
  /** First byte, counted from 0. */
  readonly start?: number | undefined;
  /** Last byte, inclusive. A value past the end means the end. */
  readonly end?: number | undefined;
  /** Destroys the body, whether or not the transfer has begun. */
  readonly signal?: AbortSignal | undefined;
}

export interface OpenObject {
  /** Holds a descriptor or a connection: read it to its end or destroy it. */
  readonly body: Readable;
  /** Of the whole object in bytes, whatever the range. */
  readonly size: number;
  /**
   * Writes the body into `out` instead, and leaves `out` open. For large answers: it reuses its buffers, which more
   * than doubles the speed. Rejects if either side fails. Only the local driver has it.
   */
  readonly sendTo?: (out: Writable) => Promise<void>;
}

export interface ObjectFacts {
  /** In bytes. */
  readonly size: number;
  /** Undefined if the driver keeps none. */
  readonly mediaType: string | undefined;
}

export interface StoredObject {
  /**
   * Usable for `remove`. The local driver knows versions alone: bucket and key are empty there. S3 returns the key as
   * it is in the store, which cuts very long keys.
   */
  readonly address: ObjectAddress;
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
  /** To be sent unchanged with the bytes; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface PresignReadOptions {
  readonly expiresInSeconds: number;
  /** Headers that the store sends instead of its own. */
  readonly responseHeaders?: {
    readonly contentType?: string;
    readonly contentDisposition?: string;
    readonly cacheControl?: string;
  };
}

/**
 * The objects of one project. Every method may throw STORAGE_UNAVAILABLE (503; the cause contains the reason), and a
 * TypeError for a malformed address, which is a bug of the caller.
 */
export interface StorageDriver {
  readonly kind: DriverKind;
  /**
   * Stores the bytes durably: once it resolves they survive a power failure. A failure leaves nothing behind and does
   * not destroy the content, so that its sender can still be answered; errors of the content are thrown unchanged.
   * Throws FILE_TOO_LARGE (413), UPLOAD_SIZE_MISMATCH (400), REQUEST_ABORTED (499), STORAGE_FULL (507),
   * STORAGE_OBJECT_EXISTS (409, the local driver alone), and the errors of `inspectHead`.
   */
  write(address: ObjectAddress, content: Readable, options: WriteOptions): Promise<WrittenObject>;
  /**
   * Stores the next bytes of an object that arrives over several requests, to any process. If the content ends early,
   * with or without an error, the earlier bytes are kept; errors of the content are thrown unchanged. The caller must
   * run one request at a time. Throws FILE_TOO_LARGE, REQUEST_ABORTED, STORAGE_FULL, the errors of `inspectHead`, and
   * STORAGE_OBJECT_MISSING if the earlier bytes are gone.
   */
  append(address: ObjectAddress, content: Readable, options: AppendOptions): Promise<void>;
  /**
   * Completes an object when all appended bytes are durable; may be repeated. Throws STORAGE_OBJECT_MISSING,
   * STORAGE_FULL.
   */
  complete(
    address: ObjectAddress,
    options: Pick<AppendOptions, 'size' | 'state' | 'mediaType'>,
  ): Promise<void>;
  /** Removes appended bytes. Without this call, `remove` and `removeStale` remove them. */
  abandon(address: ObjectAddress, state: unknown): Promise<void>;
  /**
   * Opens the object or a range of it; undefined if it does not exist. An open body stays complete even if the object
   * is removed. Throws INVALID_RANGE (416) if the range begins past the end, REQUEST_ABORTED (499).
   */
  read(address: ObjectAddress, options?: ReadOptions): Promise<OpenObject | undefined>;
  /**
   * Returns the whole object at once, at most its first `maxBytes` bytes; undefined if it does not exist. Costs a third
   * of a `read`; for objects that are read often. Remote drivers do not implement it.
   */
  readSmall?(address: ObjectAddress, maxBytes: number): Promise<Buffer | undefined>;
  /** Undefined if it does not exist. */
  stat(address: ObjectAddress): Promise<ObjectFacts | undefined>;
  /** As durable as a write. Throws STORAGE_OBJECT_MISSING (404), STORAGE_FULL, STORAGE_OBJECT_EXISTS. */
  copy(from: ObjectAddress, to: ObjectAddress): Promise<void>;
  /** Does nothing if the object is absent. Also removes bytes that were appended but not completed. */
  remove(address: ObjectAddress): Promise<void>;
  /** Everything that is stored for the project, in no particular order; aborts with REQUEST_ABORTED. */
  list(options: { readonly signal: AbortSignal }): AsyncIterable<StoredObject>;
  /**
   * Removes unfinished writes that were begun (S3) or last grew (local) before that time; returns their number. `kept`
   * are versions that are still being appended to.
   */
  removeStale(olderThan: Date, kept?: ReadonlySet<string>): Promise<number>;
  /**
   * Whether the store refuses a second upload with a URL of `presignWrite`; otherwise the URL can replace the object
   * until it expires. Remembers the answer of the store; without an answer it returns false and tests the store again
   * next time. S3 only.
   */
  presignsOnce?(): Promise<boolean>;
  /** Returns a URL that accepts an upload of exactly this length and type. S3 only. */
  presignWrite?(address: ObjectAddress, options: PresignWriteOptions): Promise<PresignedWrite>;
  /** Returns a URL with which any client can read the bytes. S3 only. */
  presignRead?(address: ObjectAddress, options: PresignReadOptions): Promise<string>;
  /** Removes all objects of the project and all unfinished writes, because the project is deleted. */
  removeAll(): Promise<void>;
  /** Closes idle connections. Does not wait for running transfers. */
  close(): Promise<void>;
}
