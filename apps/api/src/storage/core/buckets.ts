import type { ProjectRuntime } from '#libs/project-runtime';

import { isoTime, type Visibility } from './stored-file.js';

/** Where uploads go that name no bucket, by their visibility. */
export const FALLBACK_BUCKETS = {
  public: '_public',
  private: '_private',
} as const satisfies Record<Visibility, string>;

/** The slugs of those buckets. They belong to the platform. */
export const fallbackSlugs: ReadonlySet<string> = new Set(Object.values(FALLBACK_BUCKETS));

export interface Bucket {
  readonly slug: string;
  readonly name: string;
  readonly public: boolean;
  /** Null: no limit. */
  readonly quotaBytes: number | null;
  readonly maxFileBytes: number | null;
  /** Null: every type. */
  readonly allowedMediaTypes: readonly string[] | null;
  readonly cors: readonly unknown[];
  readonly usedBytes: number;
  readonly reservedBytes: number;
  readonly fileCount: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The JSON object of a row of `storage.buckets`, as SQL. */
export function bucketJson(bucket: string): string {
  return `pg_catalog.json_build_object('slug', ${bucket}.slug, 'name', ${bucket}.name,
    'public', ${bucket}.public,
    'quotaBytes', ${bucket}.quota_bytes, 'maxFileBytes', ${bucket}.max_file_bytes,
    'allowedMediaTypes', ${bucket}.allowed_media_types, 'cors', ${bucket}.cors,
    'usedBytes', ${bucket}.used_bytes, 'reservedBytes', ${bucket}.reserved_bytes,
    'fileCount', ${bucket}.object_count, 'createdAt', ${bucket}.created_at,
    'updatedAt', ${bucket}.updated_at)`;
}

/** The bucket that such an object is. */
export function readBucket(value: unknown): Bucket {
  // Written by the statement above, from columns whose constraints say the same.
  const bucket = value as Bucket;
  return { ...bucket, createdAt: isoTime(bucket.createdAt), updatedAt: isoTime(bucket.updatedAt) };
}

/** The bucket called `slug`, if there is one. */
export async function findBucket(
  project: ProjectRuntime,
  slug: string,
): Promise<Bucket | undefined> {
  const [row] = await project.db.queryAsEngine<{ readonly bucket: unknown }>(
    `select ${bucketJson('b')} as bucket from storage.buckets b where b.slug operator(pg_catalog.=) $1`,
    [slug],
  );
  return row && readBucket(row.bucket);
}
