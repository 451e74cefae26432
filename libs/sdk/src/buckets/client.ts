/** The files of a project: `client.storage`. */
import { attempt } from '../auth/wire.js';
import type { Method } from '../request.js';
import { BucketClient } from './bucket.js';
import { askData, encodeSlug, known, type StorageCall } from './call.js';
import type { StorageParts } from './parts.js';
import type { BucketEmptying, BucketOptions, StorageAnswer, StorageBucket } from './types.js';

/**
 * Files, in buckets. Methods resolve with `{ data, error }` and never reject. The methods for buckets are for servers:
 * they require the secret key; with any other key the server answers 401.
 */
export class StorageClient {
  readonly #parts: StorageParts;

  /** @internal Created by the client. */
  constructor(parts: StorageParts) {
    this.#parts = parts;
  }

  /** The files of the bucket with this slug. */
  from(bucket: string): BucketClient {
    return new BucketClient(this.#parts, bucket);
  }

  listBuckets(): Promise<StorageAnswer<StorageBucket[]>> {
    return this.#call('GET');
  }

  getBucket(slug: string): Promise<StorageAnswer<StorageBucket>> {
    return this.#call('GET', slug);
  }

  /** Creates a bucket. It is private unless `public` is true. */
  createBucket(slug: string, options: BucketOptions = {}): Promise<StorageAnswer<StorageBucket>> {
    return this.#call('POST', undefined, () => ({ json: { slug, ...settings(options) } }));
  }

  /** Changes the given fields; null removes a limit. */
  updateBucket(slug: string, changes: BucketOptions): Promise<StorageAnswer<StorageBucket>> {
    return this.#call('PATCH', slug, () => ({ json: settings(changes) }));
  }

  /**
   * Deletes the files that are in a bucket now, and returns their number when they are deleted. The server continues by
   * itself: with `signal` the call ends earlier, and `getEmptying` returns the progress.
   */
  async emptyBucket(
    slug: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StorageAnswer<{ readonly deleted: number }>> {
    const call = () => known(options, ['signal']);
    let answer = await this.#call<BucketEmptying>('POST', slug, call, '/empty');
    for (
      let pauseMs = 50;
      answer.data?.state === 'running';
      pauseMs = Math.min(pauseMs * 2, 2000)
    ) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      answer = await this.getEmptying(slug, options);
    }
    if (answer.error) return answer;
    return { data: { deleted: answer.data.deletedFiles }, error: null };
  }

  /** The progress of the last emptying of a bucket. */
  getEmptying(
    slug: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<StorageAnswer<BucketEmptying>> {
    return this.#call('GET', slug, () => known(options, ['signal']), '/empty');
  }

  /** Deletes a bucket; with `force` even if it contains files. */
  deleteBucket(
    slug: string,
    options: { readonly force?: boolean | undefined } = {},
  ): Promise<StorageAnswer<{ readonly slug: string }>> {
    return this.#call('DELETE', slug, () => {
      const { force } = known(options, ['force']);
      return { query: { force: force || undefined } };
    });
  }

  #call<Data>(
    method: Method,
    slug?: string,
    call?: () => StorageCall,
    action = '',
  ): Promise<StorageAnswer<Data>> {
    return attempt(async () => {
      const path = slug === undefined ? '' : `/${encodeSlug(slug)}${action}`;
      const route = [method, `/api/admin/storage/buckets${path}`] as const;
      return askData<Data>(this.#parts.exchangeAsKey, route, call?.());
    });
  }
}

function settings(options: BucketOptions): BucketOptions {
  return known(options, [
    'name',
    'public',
    'quotaBytes',
    'maxFileBytes',
    'allowedMimeTypes',
    'cors',
  ]);
}
