import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { parseSlug } from '../core/locate.js';
import { type BucketView, findBucketView, listBuckets } from './buckets.sql.js';

/** The buckets by their slugs; those of the platform only where they are asked for. */
export function readBuckets(
  project: ProjectRuntime,
  { withHidden }: { readonly withHidden: boolean },
): Promise<readonly BucketView[]> {
  return project.db.runAsEngine((tx) => listBuckets(tx, withHidden));
}

/** Throws BUCKET_NOT_FOUND. */
export async function readBucket(project: ProjectRuntime, slugText: string): Promise<BucketView> {
  const slug = parseSlug(slugText);
  const bucket = await project.db.runAsEngine((tx) => findBucketView(tx, slug));
  if (!bucket) throw fail('BUCKET_NOT_FOUND', { slug });
  return bucket;
}
