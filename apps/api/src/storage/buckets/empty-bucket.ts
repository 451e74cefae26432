import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import { parseSlug } from '../core/locate.js';
import { databaseTime, deleteSomeFiles, findBucketView } from './buckets.sql.js';

const filesPerRound = 1000;

/** Which bucket; whoever asked may give up in between. */
export interface Emptying {
  readonly slug: string;
  readonly signal: AbortSignal;
}

/**
 * Deletes the files that are in the bucket now; each round is a transaction of its own, so that uploads to the
 * bucket do not wait for all of them. What ended in between is done by asking again. Throws BUCKET_NOT_FOUND and
 * REQUEST_ABORTED.
 */
export async function emptyBucket(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug: slugText, signal }: Emptying,
): Promise<{ readonly deleted: number }> {
  const slug = parseSlug(slugText);
  const until = await project.db.runAsEngine(async (tx) => {
    if (!(await findBucketView(tx, slug))) throw fail('BUCKET_NOT_FOUND', { slug });
    return databaseTime(tx);
  });
  let deleted = 0;
  // One round after the other: each locks the bucket.
  while (!signal.aborted) {
    const round = await deleteRound(project, actor, { slug, until });
    deleted += round.deleted;
    project.files.work.nudge();
    if (round.found < filesPerRound) return { deleted };
  }
  throw fail('REQUEST_ABORTED');
}

function deleteRound(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug, until }: { readonly slug: string; readonly until: string },
) {
  return project.db.runAsEngine(async (tx) => {
    const round = await deleteSomeFiles(tx, { slug, until, limit: filesPerRound });
    if (round.deleted > 0) {
      await appendAudit(tx, {
        actor,
        action: 'bucket.empty',
        target: slug,
        before: null,
        after: { deletedFiles: round.deleted },
      });
    }
    return round;
  });
}
