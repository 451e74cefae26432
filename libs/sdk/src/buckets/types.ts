/** What goes into and comes out of `client.storage`: the records of the server, and the options of calls. */
import type { AuthAnswer } from '../auth/wire.js';
import type { RowhouseError } from '../error.js';
import type { RequestBody } from '../request.js';

/** What every method of the storage gives: test `error` before using `data`. */
export type StorageAnswer<Data> = AuthAnswer<Data>;

/** The content of a file. A stream is sent once: nothing can send it again after a fault. */
export type UploadBody = RequestBody;

/** Content that can be sent in parts and again. */
export type RepeatableBody = Exclude<UploadBody, FormData | ReadableStream<Uint8Array>>;

/** Whether a file is for everybody. It is only where its bucket is public too. */
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
  /** Another one after every change of the content. */
  readonly version: string;
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  /** The media type. */
  readonly mime: string;
  readonly visibility: Visibility;
  readonly ownerId: string | null;
  /** In hexadecimal digits, where it is known. */
  readonly sha256: string | null;
  readonly cacheControl: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Lists leave out metadata of more than 8 KiB, which earlier releases took; `info` gives it. */
  readonly metadataOmitted?: true;
  /** The public address, or for a private file the one that wants to know who asks. */
  readonly url: string;
  /** ISO 8601, as `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A folder: what the paths of several files begin with. */
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
  /** With the bucket before it. */
  readonly fullPath: string;
}

/** How far an upload is, in bytes. */
export interface UploadProgress {
  readonly loaded: number;
  /** Undefined for a stream, whose length nobody knows. */
  readonly total: number | undefined;
}

export interface FileOptions {
  /** Default: that of the bucket. */
  readonly visibility?: Visibility | undefined;
  /** Whether a file that is there is replaced. Default false: then it is the error FILE_EXISTS, 409. */
  readonly upsert?: boolean | undefined;
  /** The media type. Default: that of the blob; `text/plain` for text; else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** The header `Cache-Control` of downloads, as `max-age=3600`. */
  readonly cacheControl?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface UploadOptions extends FileOptions {
  /** Ends the upload; nothing of it is kept. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the bytes that were taken from the body. Browsers do not tell before all of them are sent:
   * on a page, `uploadResumable` tells after each part.
   */
  readonly onProgress?: ((progress: UploadProgress) => unknown) | undefined;
}

export interface UpdateOptions extends Omit<UploadOptions, 'upsert'> {
  /** The `etag` of the version that is replaced. Default: any. */
  readonly ifMatch?: string | undefined;
}

export interface ResumableOptions extends FileOptions {
  /** Bytes of one part. Default 8 MiB. */
  readonly chunkSize?: number | undefined;
  /** Pauses the upload: the same call goes on where it stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each part. */
  readonly onProgress?: ((progress: UploadProgress) => unknown) | undefined;
  /**
   * Names the content, so that the upload goes on in another program or after a reload. Default: made of name,
   * size and date of a `File`. Content without a name goes on only while the same `Blob` lives.
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
  /** Called after each file, whether it was uploaded or not. */
  readonly onProgress?:
    | ((progress: {
        readonly path: string;
        readonly completed: number;
        readonly total: number;
      }) => unknown)
    | undefined;
}

/** What became of one of several files. */
export type UploadResult = StorageAnswer<UploadedFile> & { readonly path: string };

/** An image as another image; sides in pixels, 1 to 2000. */
export interface TransformOptions {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Default `cover`. */
  readonly resize?: 'cover' | 'contain' | 'fill' | undefined;
  /** 20 to 100, default 80. */
  readonly quality?: number | undefined;
  /** Default: WebP for who takes it, else the image's own. */
  readonly format?: 'origin' | 'webp' | 'avif' | 'jpeg' | 'png' | undefined;
}

export interface DownloadOptions {
  /** Bytes from `first` to `last`, counted from 0, both included; without `last` to the end. */
  readonly range?: { readonly first: number; readonly last?: number } | undefined;
  /** Gives another image, made of this one. Without `range`. */
  readonly transform?: TransformOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LinkOptions {
  /** Whether browsers save the file instead of showing it; a text is the name under which they do. */
  readonly download?: boolean | string | undefined;
}

export type PublicUrlOptions =
  | (LinkOptions & { readonly transform?: undefined })
  | { readonly download?: undefined; readonly transform: TransformOptions };

export interface ListOptions {
  /** At most 1000. Default 100. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** A part of the name, in small or capital letters. */
  readonly search?: string | undefined;
  readonly sortBy?:
    | {
        readonly column?: 'name' | 'key' | 'size' | 'createdAt' | 'updatedAt' | undefined;
        readonly order?: 'asc' | 'desc' | undefined;
      }
    | undefined;
  /** Files of all folders below, in place of the folders. Default false. */
  readonly recursive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The entries of one page; `count` is how many there are in all. */
export type ListAnswer =
  | { readonly data: readonly StorageEntry[]; readonly error: null; readonly count: number }
  | { readonly data: null; readonly error: RowhouseError; readonly count: null };

export interface SignedUrl {
  readonly signedUrl: string;
  /** ISO 8601; null for an address that does not expire. */
  readonly expiresAt: string | null;
}

/** The address of one of several files, or why there is none. */
export type SignedUrlResult = { readonly path: string } & (
  | (SignedUrl & { readonly error: null })
  | { readonly signedUrl: null; readonly expiresAt: null; readonly error: RowhouseError }
);

export interface SignedUploadOptions extends FileOptions {
  /** In bytes, exactly: the address takes nothing shorter or longer. */
  readonly size: number;
  readonly contentType: string;
  /** In hexadecimal digits, where the content shall be compared with it. */
  readonly sha256?: string | undefined;
}

/** The right to put one file directly into the store. */
export interface SignedUpload {
  /** Where the content is put. */
  readonly signedUrl: string;
  readonly id: string;
  readonly path: string;
  /** What must be sent with the content, exactly. */
  readonly headers: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A bucket as the server describes it. */
export interface StorageBucket {
  readonly slug: string;
  readonly name: string;
  /** Whether files of it can be public. */
  readonly public: boolean;
  /** All files together; null for no limit. */
  readonly quotaBytes: number | null;
  /** Each file; null for the limit of the project. */
  readonly maxFileBytes: number | null;
  /** As `image/*` or `application/pdf`; null for any. */
  readonly allowedMimeTypes: readonly string[] | null;
  readonly cors: readonly unknown[];
  readonly usedBytes: number;
  /** Promised to uploads that are not finished. */
  readonly reservedBytes: number;
  readonly fileCount: number;
  /** ISO 8601, as `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** How far the emptying of a bucket is. */
export interface BucketEmptying {
  readonly state: 'idle' | 'running' | 'done';
  /** Files that were there when it began. */
  readonly totalFiles: number;
  readonly deletedFiles: number;
  /** What keeps it waiting; it is tried again. */
  readonly lastError: string | null;
  /** ISO 8601, as `endedAt`. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** What of a bucket can be set. */
export type BucketOptions = Partial<
  Pick<StorageBucket, 'name' | 'public' | 'quotaBytes' | 'maxFileBytes' | 'allowedMimeTypes'>
>;
