import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import { fallbackSlugs } from '../core/buckets.js';
import { parseSlug } from '../core/locate.js';
import { changedBucket, differingFields, pickFields } from './bucket-values.js';
import type { ChangeBucketBody } from './buckets.dto.js';
import { type BucketView, lockBucket, updateBucket } from './buckets.sql.js';

/** The bucket to change, and the name of the change in the audit log. */
export interface BucketChange {
  readonly slug: string;
  readonly body: ChangeBucketBody;
  readonly action: string;
}

/**
 * Changes a bucket. What it has already is no change: then nothing is written. The platform's own buckets keep
 * their names and stay as public as they are. Throws BUCKET_NOT_FOUND, FIELD_NOT_ALLOWED, and what wrong values
 * throw.
 */
export function changeBucket(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug: slugText, body, action }: BucketChange,
): Promise<BucketView> {
  const slug = parseSlug(slugText);
  if (fallbackSlugs.has(slug)) refuseFixed(body);
  return project.db.runAsEngine(async (tx) => {
    const before = await lockBucket(tx, slug);
    if (!before) throw fail('BUCKET_NOT_FOUND', { slug });
    const values = changedBucket(before, body);
    const fields = differingFields(before, values);
    if (fields.length === 0) return before;
    const after = await updateBucket(tx, slug, values);
    if (!after) throw fail('BUCKET_NOT_FOUND', { slug });
    await appendAudit(tx, {
      actor,
      action,
      target: slug,
      before: pickFields(before, fields),
      after: pickFields(after, fields),
    });
    return after;
  });
}

function refuseFixed(body: ChangeBucketBody): void {
  for (const field of ['name', 'public'] as const) {
    if (body[field] !== undefined) throw fail('FIELD_NOT_ALLOWED', { field });
  }
}
