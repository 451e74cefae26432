/** The types of `client.storage`: the records of the server, and the options of calls. */
import type { AuthAnswer } from '../auth/wire.js';
import type { RowhouseError } from '../error.js';
import type { RequestBody } from '../request.js';

/** The result of every method of the storage: test `error` before using `data`. */
export type StorageAnswer<Data> = AuthAnswer<Data>;

/** The content of a file. A stream is sent once: it cannot be sent again after a failure. */
export type UploadBody = RequestBody;

/** Content that can be sent in parts and again. */
export type RepeatableBody = Exclude<UploadBody, FormData | ReadableStream<Uint8Array>>;

/** Whether a file is public. It is only public if its bucket is, too. */
export type Visibility = 'public' | 'private';

/** A file as the server describes it. */
export interface StorageFile {
  readonly id: string;
  /** Null for a file without a bucket. */
  readonly bucket: string | null;
  /** The path in the bucket. */
  readonly key: string;
  /** The last part of the path. */
  readonly name: string;
  /** Changes with every change of the content. */
  readonly version: string;
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  /** The media type. */
  readonly mime: string;
  readonly visibility: Visibility;
  readonly ownerId: string | null;
  /** In hexadecimal digits, if it is known. */
  readonly sha256: string | null;
  readonly cacheControl: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Lists omit metadata of more than 8 KiB, which earlier releases accepted; `info` returns it. */
  readonly metadataOmitted?: true;
  /** The public address, or for a private file the address that requires a sign-in. */
  readonly url: string;
  /** ISO 8601, as `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A folder: the common start of the paths of several files. */
export interface StorageFolder {
  readonly kind: 'folder';
  readonly name: string;
  /** Ends in a slash. */
  readonly key: string;
  readonly id: null;
}

export type StorageEntry = StorageFolder | (StorageFile & { readonly kind: 'file' });

/** Where an uploaded file is. */
export interface UploadedFile {
  readonly path: string;
  readonly id: string;
  /** Including the bucket. */
  readonly fullPath: string;
}

/** The progress of an upload, in bytes. */
export interface UploadProgress {
  readonly loaded: number;
  /** Undefined for a stream, whose length is unknown. */
  readonly total: number | undefined;
}

export interface FileOptions {
  /** Default: that of the bucket. */
  readonly visibility?: Visibility | undefined;
  /** Whether an existing file is replaced. Default false: then the error is FILE_EXISTS, 409. */
  readonly upsert?: boolean | undefined;
  /** The media type. Default: that of the blob; `text/plain` for text; else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** The header `Cache-Control` of downloads, e.g. `max-age=3600`. */
  readonly cacheControl?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface UploadOptions extends FileOptions {
  /** Aborts the upload; nothing of it is kept. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the number of bytes taken from the body. Browsers report it only when all of them are sent: in a page,
   * `uploadResumable` reports after each part.
   */
  readonly onProgress?: ((progress: UploadProgress) => unknown) | undefined;
}

export interface UpdateOptions extends Omit<UploadOptions, 'upsert'> {
  /** The `etag` of the version to replace. Default: any. */
  readonly ifMatch?: string | undefined;
}

export interface ResumableOptions extends FileOptions {
  /** Bytes per part. Default 8 MiB. */
  readonly chunkSize?: number | undefined;
  /** Pauses the upload: the same call continues where it stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each part. */
  readonly onProgress?: ((progress: UploadProgress) => unknown) | undefined;
  /**
   * Identifies the content, so that the upload continues in another program or after a reload. Default: made from name,
   * size and date of a `File`. Content without a name continues only while the same `Blob` exists.
   */
  readonly fingerprint?: string | undefined;
}

/** One of several files to upload. */
export interface FileToUpload extends UploadOptions {
  readonly path: string;
  readonly file: UploadBody;
}

export interface UploadManyOptions extends FileOptions {
  /** How many are sent at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each file, whether or not it was uploaded. */
  readonly onProgress?:
    | ((progress: {
        readonly path: string;
        readonly completed: number;
        readonly total: number;
      }) => unknown)
    | undefined;
}

/** The result for one of several files. */
export type UploadResult = StorageAnswer<UploadedFile> & { readonly path: string };

/** A transformed image; sides in pixels, 1 to 2000. */
export interface TransformOptions {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Default `cover`. */
  readonly resize?: 'cover' | 'contain' | 'fill' | undefined;
  /** 20 to 100, default 80. */
  readonly quality?: number | undefined;
  /** Default: WebP if the client accepts it, else the image's own format. */
  readonly format?: 'origin' | 'webp' | 'avif' | 'jpeg' | 'png' | undefined;
}

export interface DownloadOptions {
  /** Bytes from `first` to `last`, counted from 0, both inclusive; without `last` to the end. */
  readonly range?: { readonly first: number; readonly last?: number } | undefined;
  /** Returns an image made from this one. Not together with `range`. */
  readonly transform?: TransformOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LinkOptions {
  /** Whether browsers save the file instead of showing it; a text is the file name. */
  readonly download?: boolean | string | undefined;
}

export type PublicUrlOptions =
  | (LinkOptions & { readonly transform?: undefined })
  | { readonly download?: undefined; readonly transform: TransformOptions };

export interface ListOptions {
  /** At most 1000. Default 100. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** A part of the name, ignoring case. */
  readonly search?: string | undefined;
  readonly sortBy?:
    | {
        readonly column?: 'name' | 'key' | 'size' | 'createdAt' | 'updatedAt' | undefined;
        readonly order?: 'asc' | 'desc' | undefined;
      }
    | undefined;
  /** Files of all folders below, instead of the folders. Default false. */
  readonly recursive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The entries of one page; `count` is the total number. */
export type ListAnswer =
  | { readonly data: readonly StorageEntry[]; readonly error: null; readonly count: number }
  | { readonly data: null; readonly error: RowhouseError; readonly count: null };

export interface SignedUrl {
  readonly signedUrl: string;
  /** ISO 8601; null for an address that does not expire. */
  readonly expiresAt: string | null;
}

/** The address of one of several files, or the reason why there is none. */
export type SignedUrlResult = { readonly path: string } & (
  | (SignedUrl & { readonly error: null })
  | { readonly signedUrl: null; readonly expiresAt: null; readonly error: RowhouseError }
);

export interface SignedUploadOptions extends FileOptions {
  /** In bytes, exactly: the address accepts no other length. */
  readonly size: number;
  readonly contentType: string;
  /** In hexadecimal digits, if the content is to be verified with it. */
  readonly sha256?: string | undefined;
}

/** The right to upload one file directly to the store. */
export interface SignedUpload {
  /** The address for the content. */
  readonly signedUrl: string;
  readonly id: string;
  readonly path: string;
  /** Headers that must be sent with the content unchanged. */
  readonly headers: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A bucket as the server describes it. */
export interface StorageBucket {
  readonly slug: string;
  readonly name: string;
  /** Whether its files can be public. */
  readonly public: boolean;
  /** For all files together; null for no limit. */
  readonly quotaBytes: number | null;
  /** For each file; null for the limit of the project. */
  readonly maxFileBytes: number | null;
  /** E.g. `image/*` or `application/pdf`; null for any. */
  readonly allowedMimeTypes: readonly string[] | null;
  readonly cors: readonly unknown[];
  readonly usedBytes: number;
  /** Reserved for unfinished uploads. */
  readonly reservedBytes: number;
  readonly fileCount: number;
  /** ISO 8601, as `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The progress of emptying a bucket. */
export interface BucketEmptying {
  readonly state: 'idle' | 'running' | 'done';
  /** The number of files when it began. */
  readonly totalFiles: number;
  readonly deletedFiles: number;
  /** Why it waits; it is retried. */
  readonly lastError: string | null;
  /** ISO 8601, as `endedAt`. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** The settings of a bucket. */
export type BucketOptions = Partial<
  Pick<
    StorageBucket,
    'name' | 'public' | 'quotaBytes' | 'maxFileBytes' | 'allowedMimeTypes' | 'cors'
  >
>;
