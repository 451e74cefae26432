import type { Transaction } from '#libs/database';

import { type Bucket, bucketJson, readBucket } from '../core/buckets.js';

/** A bucket as administrators see it. */
export interface BucketView extends BucketValues {
  readonly slug: string;
  readonly usedBytes: number;
  /** Of uploads that have not ended. */
  readonly reservedBytes: number;
  readonly fileCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What administrators set. */
export interface BucketValues {
  readonly name: string;
  readonly public: boolean;
  readonly quotaBytes: number | null;
  readonly maxFileBytes: number | null;
  readonly allowedMimeTypes: readonly string[] | null;
  /** As `parseCorsRules` gave them. */
  readonly cors: readonly unknown[];
}

interface ViewRow {
  readonly bucket: unknown;
}

const view = `${bucketJson('b')} as bucket`;

function bucketView({ allowedMediaTypes: allowedMimeTypes, ...bucket }: Bucket): BucketView {
  return { ...bucket, allowedMimeTypes };
}

const viewOf = (row: ViewRow): BucketView => bucketView(readBucket(row.bucket));

export async function listBuckets(tx: Transaction, withHidden: boolean): Promise<BucketView[]> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from storage.buckets b
     where $1 or not pg_catalog.starts_with(b.slug, '_') order by b.slug`,
    [withHidden],
  );
  return rows.map(viewOf);
}

export async function findBucketView(
  tx: Transaction,
  slug: string,
): Promise<BucketView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from storage.buckets b where b.slug operator(pg_catalog.=) $1`,
    [slug],
  );
  return rows[0] && viewOf(rows[0]);
}

/** The same, kept from changing until the transaction ends. */
export async function lockBucket(tx: Transaction, slug: string): Promise<BucketView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `select ${view} from storage.buckets b where b.slug operator(pg_catalog.=) $1 for no key update`,
    [slug],
  );
  return rows[0] && viewOf(rows[0]);
}

/** Undefined when there is a bucket of this slug. */
export async function insertBucket(
  tx: Transaction,
  slug: string,
  values: BucketValues,
): Promise<BucketView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `insert into storage.buckets as b
       (slug, name, public, quota_bytes, max_file_bytes, allowed_media_types, cors)
     values ($1, $2, $3, $4, $5, $6, $7::pg_catalog.jsonb)
     on conflict do nothing
     returning ${view}`,
    [slug, ...columnsOf(values)],
  );
  return rows[0] && viewOf(rows[0]);
}

/** The bucket must be locked. */
export async function updateBucket(
  tx: Transaction,
  slug: string,
  values: BucketValues,
): Promise<BucketView | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `update storage.buckets b set
       name = $2, public = $3, quota_bytes = $4, max_file_bytes = $5, allowed_media_types = $6,
       cors = $7::pg_catalog.jsonb, updated_at = pg_catalog.now()
     where b.slug operator(pg_catalog.=) $1
     returning ${view}`,
    [slug, ...columnsOf(values)],
  );
  return rows[0] && viewOf(rows[0]);
}

function columnsOf(values: BucketValues): readonly unknown[] {
  const { name, quotaBytes, maxFileBytes, allowedMimeTypes, cors } = values;
  return [name, values.public, quotaBytes, maxFileBytes, allowedMimeTypes, JSON.stringify(cors)];
}

export type DeleteOutcome = 'deleted' | 'bucket_missing' | 'bucket_not_empty';

export async function deleteBucketRow(
  tx: Transaction,
  slug: string,
  force: boolean,
): Promise<DeleteOutcome> {
  const { rows } = await tx.query<{ readonly outcome: DeleteOutcome }>(
    'select storage.delete_bucket($1, $2) as outcome',
    [slug, force],
  );
  return rows[0]?.outcome ?? 'bucket_missing';
}

/** Deletes up to `limit` files of the bucket; returns how many it has deleted. */
export async function deleteSomeFiles(
  tx: Transaction,
  { slug, limit }: { readonly slug: string; readonly limit: number },
): Promise<number> {
  const { rows } = await tx.query<{ readonly deleted: number }>(
    'select storage.delete_some_files($1, pg_catalog.clock_timestamp(), $2) as deleted',
    [slug, limit],
  );
  return rows[0]?.deleted ?? 0;
}

/** By how much counters were too high. */
export interface CounterDrift {
  readonly usedDrift: number;
  readonly reservedDrift: number;
  readonly fileDrift: number;
}

/** Recomputes the counters of the bucket; returns undefined if the bucket does not exist. */
export async function recount(tx: Transaction, slug: string): Promise<CounterDrift | undefined> {
  const { rows } = await tx.query<{ readonly drift: CounterDrift }>(
    `select pg_catalog.json_build_object(
       'usedDrift', used_drift, 'reservedDrift', reserved_drift, 'fileDrift', object_drift
     ) as drift
     from storage.recount_bucket($1)`,
    [slug],
  );
  return rows[0]?.drift;
}
