import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import { parseBucketSlug } from '#libs/storage-rules';

import { newBucket } from './bucket-values.js';
import type { CreateBucketBody } from './buckets.dto.js';
import { type BucketView, insertBucket } from './buckets.sql.js';

/** Throws BUCKET_EXISTS, INVALID_BUCKET_SLUG, and what wrong values throw. */
export function createBucket(
  project: ProjectRuntime,
  actor: AuditActor,
  body: CreateBucketBody,
): Promise<BucketView> {
  const slug = parseBucketSlug(body.slug);
  const values = newBucket(slug, body);
  return project.db.runAsEngine(async (tx) => {
    const bucket = await insertBucket(tx, slug, values);
    if (!bucket) throw fail('BUCKET_EXISTS', { slug });
    await appendAudit(tx, {
      actor,
      action: 'bucket.create',
      target: slug,
      before: null,
      after: values,
    });
    return bucket;
  });
}
