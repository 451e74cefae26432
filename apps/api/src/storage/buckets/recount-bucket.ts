import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import { parseSlug } from '../core/locate.js';
import { type CounterDrift, recount } from './buckets.sql.js';

/**
 * Recomputes the counters of a bucket from its files and reservations. Returns by how much they were too high, which
 * should be zero. Throws BUCKET_NOT_FOUND.
 */
export function recountBucket(
  project: ProjectRuntime,
  actor: AuditActor,
  slugText: string,
): Promise<CounterDrift> {
  const slug = parseSlug(slugText);
  return project.db.runAsEngine(async (tx) => {
    const drift = await recount(tx, slug);
    if (!drift) throw fail('BUCKET_NOT_FOUND', { slug });
    await appendAudit(tx, {
      actor,
      action: 'bucket.recount',
      target: slug,
      before: null,
      after: drift,
    });
    return drift;
  });
}
