/** The files of one bucket: `client.storage.from('pictures')`. */
import { attempt } from '../auth/wire.js';
import { queryText } from '../encode.js';
import { invalidInput, RowhouseError } from '../error.js';
import type { Method } from '../request.js';
import { ask, askData, encodePath, encodeSlug, fieldsOf, known } from './call.js';
import { concurrently } from './concurrently.js';
import type { StorageParts } from './parts.js';
import { sendInParts } from './resumable.js';
import { sendToStore, signUpload, type StoreOptions } from './signed.js';
import type {
  DownloadOptions,
  FileToUpload,
  ListAnswer,
  ListOptions,
  PublicUrlOptions,
  RepeatableBody,
  ResumableOptions,
  SignedUpload,
  SignedUploadOptions,
  SignedUrl,
  SignedUrlResult,
  StorageAnswer,
  StorageEntry,
  StorageFile,
  TransformOptions,
  UploadBody,
  UploadedFile,
  UpdateOptions,
  UploadManyOptions,
  UploadOptions,
  UploadResult,
} from './types.js';
import { blobOf, placeOf, sendFile } from './upload.js';

const defaultConcurrency = 4;

type Uploaded = Promise<StorageAnswer<UploadedFile>>;

/**
 * Files by their path in the bucket, or by their id in place of a path. Methods resolve with `{ data, error }` and
 * never reject.
 */
export class BucketClient {
  readonly #parts: StorageParts;
  readonly #bucket: string;

  /** @internal Created by the client. */
  constructor(parts: StorageParts, bucket: string) {
    this.#parts = parts;
    this.#bucket = bucket;
  }

  /** Uploads a file. Sent once: a network failure is an error. */
  upload(path: string, body: UploadBody, options: UploadOptions = {}): Uploaded {
    return attempt(() => sendFile(this.#parts.exchange, this.#place(path), body, options));
  }

  /**
   * Replaces the content of an existing file; if it does not exist, the error is FILE_NOT_FOUND, 404. With `ifMatch` it
   * replaces only the version with this `etag`; for another version the error is PRECONDITION_FAILED, 412.
   */
  update(path: string, body: UploadBody, options: UpdateOptions = {}): Uploaded {
    const { ifMatch, ...rest } = options;
    const replacing = { ...rest, upsert: true, ifMatch: ifMatch ?? '*' };
    return attempt(() =>
      sendFile(this.#parts.exchange, this.#place(path), body, replacing).catch(
        (thrown: unknown) => {
          const isMissing = thrown instanceof RowhouseError && thrown.status === 412 && !ifMatch;
          if (!isMissing) throw thrown;
          throw new RowhouseError('File not found', { status: 404, code: 'FILE_NOT_FOUND' });
        },
      ),
    );
  }

  /**
   * Uploads a large file in parts. It continues by itself after network failures; after a pause or a reload of the
   * page, the same call continues where it stopped.
   */
  uploadResumable(path: string, body: RepeatableBody, options: ResumableOptions = {}): Uploaded {
    return attempt(async () => {
      const file = await sendInParts(this.#parts, this.#place(path), blobOf(body), options);
      return placeOf(file, this.#bucket);
    });
  }

  /** Uploads several files, some at the same time. Returns a result for each, in the order of the files. */
  uploadMany(
    files: readonly FileToUpload[],
    { concurrency = defaultConcurrency, onProgress, ...shared }: UploadManyOptions = {},
  ): Promise<UploadResult[]> {
    let completed = 0;
    return concurrently(files, concurrency, async ({ path, file, ...own }) => {
      const answer = await this.upload(path, file, { ...shared, ...own });
      completed += 1;
      // An error in a listener must not affect the other files.
      await attempt(async () => onProgress?.({ path, completed, total: files.length }));
      return { path, ...answer };
    });
  }

  /** Downloads the content of a file. Public files of a public bucket need no sign-in. */
  download(path: string, options: DownloadOptions = {}): Promise<StorageAnswer<Blob>> {
    return attempt(async () => (await this.#read(path, options, 'blob')).blob ?? new Blob([]));
  }

  /** The same as a stream, which begins before the whole content has arrived. */
  downloadStream(
    path: string,
    options: DownloadOptions = {},
  ): Promise<StorageAnswer<ReadableStream<Uint8Array>>> {
    return attempt(
      async () => (await this.#read(path, options, 'stream')).stream ?? new Blob([]).stream(),
    );
  }

  /** The description of a file, for signed-in users. */
  info(path: string): Promise<StorageAnswer<StorageFile>> {
    return attempt(() => this.#describe(path));
  }

  /** Whether a file exists that the caller may see. */
  exists(path: string): Promise<StorageAnswer<boolean>> {
    return attempt(async () => {
      const route = await this.#route('HEAD', path);
      return ask(this.#parts.exchange, route).then(
        () => true,
        (thrown: unknown) => {
          if (thrown instanceof RowhouseError && thrown.status === 404) return false;
          throw thrown;
        },
      );
    });
  }

  /** One page of the entries of a folder: folders first, then files. Without a prefix: of the whole bucket. */
  async list(prefix?: string, options: ListOptions = {}): Promise<ListAnswer> {
    const { data, error } = await attempt(async () => {
      const names = ['limit', 'offset', 'search', 'sortBy', 'recursive', 'signal'] as const;
      const { sortBy, signal, ...rest } = known(options, names);
      const { column, order } = known(sortBy ?? {}, ['column', 'order'], 'sortBy');
      const query = { prefix: prefix || undefined, ...rest, sortBy: column, order };
      const path = `/api/files/list/${encodeSlug(this.#bucket)}`;
      const answer = await ask(this.#parts.exchange, ['GET', path], { query, signal });
      return fieldsOf<{ readonly data: StorageEntry[]; readonly total: number }>(answer);
    });
    return error ? { data, error, count: null } : { data: data.data, error, count: data.total };
  }

  /** Deletes files. Returns those that existed and could be deleted. */
  remove(paths: readonly string[]): Promise<StorageAnswer<StorageFile[]>> {
    return this.#post('remove', () => ({ paths }));
  }

  copy(
    from: string,
    to: string,
    options: { readonly upsert?: boolean | undefined } = {},
  ): Promise<StorageAnswer<StorageFile>> {
    return this.#post('copy', () => ({ from, to, ...known(options, ['upsert']) }));
  }

  /** Changes the path of a file. It keeps its id. */
  move(
    from: string,
    to: string,
    options: { readonly upsert?: boolean | undefined } = {},
  ): Promise<StorageAnswer<StorageFile>> {
    return this.#post('move', () => ({ from, to, ...known(options, ['upsert']) }));
  }

  /**
   * An address at which anyone can read the file, for this many seconds: 1 to 604800. `expiresAt` is null if the
   * address cannot expire: for public files, and for private files of a project with local storage that issues no
   * links; those require a sign-in. With `transform` it is the address of an image made from this one, and of no other.
   */
  createSignedUrl(
    path: string,
    expiresIn?: number,
    options: PublicUrlOptions = {},
  ): Promise<StorageAnswer<SignedUrl>> {
    return attempt(() => this.#sign(path, { expiresIn, ...linkFields(options) }));
  }

  /** The same for several files; each has its own error. */
  createSignedUrls(
    paths: readonly string[],
    expiresIn?: number,
    options: PublicUrlOptions = {},
  ): Promise<StorageAnswer<SignedUrlResult[]>> {
    return attempt(() =>
      concurrently(paths, defaultConcurrency, async (path): Promise<SignedUrlResult> => {
        const { data, error } = await this.createSignedUrl(path, expiresIn, options);
        if (error) return { path, signedUrl: null, expiresAt: null, error };
        return { path, ...data, error };
      }),
    );
  }

  /**
   * The address of a public file, or of an image made from it. Makes no request: whether the file exists shows when it
   * is loaded.
   * @throws RowhouseError for a path with an empty part, `.` or `..`, and for an unknown option
   */
  getPublicUrl(
    path: string,
    options: PublicUrlOptions = {},
  ): { readonly data: { readonly publicUrl: string } } {
    const { url } = this.#parts;
    const fields = linkFields(options);
    const address = options.transform
      ? imagePath(this.#place(path), fields)
      : `${this.#publicPath(path)}${queryText(fields)}`;
    return { data: { publicUrl: `${url}${address}` } };
  }

  /**
   * Reserves a file and returns the right to upload its content directly to the store. If the project stores files
   * locally, the error is PRESIGN_NOT_SUPPORTED, 400.
   */
  createSignedUploadUrl(
    path: string,
    options: SignedUploadOptions,
  ): Promise<StorageAnswer<SignedUpload>> {
    return attempt(() => signUpload(this.#parts.exchange, this.#place(path), options));
  }

  /** Uploads the content to the address of `createSignedUploadUrl`, and creates the file. */
  uploadToSignedUrl(
    upload: SignedUpload,
    body: RepeatableBody,
    options: StoreOptions = {},
  ): Uploaded {
    return attempt(async () =>
      placeOf(await sendToStore(this.#parts, upload, body, options), this.#bucket),
    );
  }

  #place(path: string) {
    return { bucket: this.#bucket, path };
  }

  #post<Data>(action: string, values: () => object): Promise<StorageAnswer<Data>> {
    return attempt(() => {
      const json = { bucket: this.#bucket, ...values() };
      return askData<Data>(this.#parts.exchange, ['POST', `/api/files/${action}`], { json });
    });
  }

  #publicPath(path: string): string {
    return `/api/storage/${encodeSlug(this.#bucket)}/files/${encodePath(path)}`;
  }

  #filePath(route: string, path: string): string {
    return `/api/files/${route}/${encodeSlug(this.#bucket)}/${encodePath(path)}`;
  }

  /** The path of the content: the public one for clients without a session or a key. */
  async #route(method: Method, path: string): Promise<readonly [Method, string]> {
    const isVisitor = await this.#parts.isVisitor();
    return [method, isVisitor ? this.#publicPath(path) : this.#filePath('object', path)];
  }

  async #read(path: string, options: DownloadOptions, reads: 'blob' | 'stream') {
    const { range, transform, signal } = known(options, ['range', 'transform', 'signal']);
    const route = transform
      ? (['GET', imagePath(this.#place(path), transformFields(transform))] as const)
      : await this.#route('GET', path);
    const headers = range && { range: rangeText(range) };
    return ask(this.#parts.exchange, route, { reads, signal, ...(headers && { headers }) });
  }

  async #describe(path: string): Promise<StorageFile> {
    return askData(this.#parts.exchange, ['GET', this.#filePath('object-info', path)]);
  }

  async #sign(path: string, query: object): Promise<SignedUrl> {
    type Link = { readonly url: string; readonly expiresAt: string | null };
    const route = ['GET', this.#filePath('object-url', path)] as const;
    const { url, expiresAt } = await askData<Link>(this.#parts.exchange, route, { query });
    return { signedUrl: new URL(url, `${this.#parts.url}/`).href, expiresAt };
  }
}

function imagePath(place: object, fields: object): string {
  return `/storage/v1/render/image${queryText({ ...place, ...fields })}`;
}

/** The query parameters of an address: what makes browsers save the file, or describes the image. */
function linkFields(options: PublicUrlOptions): object {
  const { download, transform } = known(options, ['download', 'transform']);
  return {
    download: download === true ? '' : download || undefined,
    ...transformFields(transform),
  };
}

function transformFields(transform: TransformOptions = {}): object {
  return known(transform, ['width', 'height', 'resize', 'quality', 'format'], 'transform');
}

/** A range of bytes (RFC 9110 §14.1.2). Servers return the whole file for a malformed range. */
function rangeText(range: NonNullable<DownloadOptions['range']>): string {
  const { first, last } = known(range, ['first', 'last'], 'range');
  const text = `${first}-${last ?? ''}`;
  if (/^\d+-\d*$/.test(text)) return `bytes=${text}`;
  throw invalidInput('range: must be whole numbers');
}
