// The emptying of a bucket. The background work of the process that serves the project runs it; this file begins it and
// reads its progress.
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import {
  appendAudit,
  type AuditActor,
  type EmptyingState,
  findEmptying,
  type ProjectRuntime,
  startEmptying,
} from '#libs/project-runtime';

import { parseSlug } from '../core/locate.js';
import { isoTime } from '../core/stored-file.js';
import { findBucketView } from './buckets.sql.js';

/** The progress of the last emptying of a bucket; `idle` if there was none. */
export interface EmptyingView extends Omit<EmptyingState, 'bucket' | 'state' | 'startedAt'> {
  readonly state: 'idle' | EmptyingState['state'];
  readonly startedAt: string | null;
}

const idle: EmptyingView = {
  state: 'idle',
  totalFiles: 0,
  deletedFiles: 0,
  lastError: null,
  startedAt: null,
  endedAt: null,
};

/**
 * Begins to delete the files that are in the bucket now. Until each is deleted it can still be read. While an
 * emptying is running it takes in the files that came meanwhile. Throws BUCKET_NOT_FOUND (404).
 */
export async function emptyBucket(
  project: ProjectRuntime,
  actor: AuditActor,
  slugText: string,
): Promise<EmptyingView> {
  const slug = parseSlug(slugText);
  const view = await project.db.runAsEngine(async (tx) => {
    await requireBucket(tx, slug);
    await startEmptying(tx, slug);
    const started = await findEmptying(tx, slug);
    const after = { totalFiles: started?.totalFiles ?? 0 };
    await appendAudit(tx, { actor, action: 'bucket.empty', target: slug, before: null, after });
    return viewOf(started);
  });
  project.files.work.schedule();
  return view;
}

/** Returns the progress. Throws BUCKET_NOT_FOUND (404). */
export function readEmptying(project: ProjectRuntime, slugText: string): Promise<EmptyingView> {
  const slug = parseSlug(slugText);
  return project.db.runAsEngine(async (tx) => {
    await requireBucket(tx, slug);
    return viewOf(await findEmptying(tx, slug));
  });
}

async function requireBucket(tx: Transaction, slug: string): Promise<void> {
  if (!(await findBucketView(tx, slug))) throw fail('BUCKET_NOT_FOUND', { slug });
}

function viewOf(state: EmptyingState | undefined): EmptyingView {
  if (!state) return idle;
  const { bucket: _bucket, startedAt, endedAt, ...rest } = state;
  return {
    ...rest,
    startedAt: isoTime(startedAt),
    endedAt: endedAt === null ? null : isoTime(endedAt),
  };
}
