import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import { fallbackSlugs } from '../core/buckets.js';
import { parseSlug } from '../core/locate.js';
import {
  type BucketView,
  deleteBucketRow,
  deleteSomeFiles,
  findBucketView,
} from './buckets.sql.js';

/** As many files go with their bucket in one statement; before more of them the bucket is emptied in rounds. */
const maxFilesAtOnce = 10_000;
const filesPerRound = 2000;

export interface BucketDeletion {
  readonly slug: string;
  /** Whether its files are deleted with it; otherwise a bucket with files stays. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Deletes a bucket with its reservations, tokens and webhooks. Throws BUCKET_NOT_FOUND, BUCKET_NOT_EMPTY,
 * BUCKET_PROTECTED, and with many files REQUEST_ABORTED.
 */
export async function deleteBucket(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug: slugText, force, signal }: BucketDeletion,
): Promise<{ readonly slug: string }> {
  const slug = parseSlug(slugText);
  if (fallbackSlugs.has(slug)) throw fail('BUCKET_PROTECTED', { slug });
  const bucket = await project.db.runAsEngine((tx) => getBucketView(tx, slug));
  if (force && bucket.fileCount > maxFilesAtOnce) {
    await deleteFiles(project, slug, signal);
  }
  await project.db.runAsEngine((tx) => deleteWithEntry(tx, actor, { slug, force }));
  project.files.work.schedule();
  return { slug };
}

/** Throws REQUEST_ABORTED. */
async function deleteFiles(
  project: ProjectRuntime,
  slug: string,
  signal: AbortSignal,
): Promise<void> {
  // One round after the other: each locks the bucket.
  while (!signal.aborted) {
    const limit = filesPerRound;
    const deleted = await project.db.runAsEngine((tx) => deleteSomeFiles(tx, { slug, limit }));
    if (deleted < limit) return;
  }
  throw fail('REQUEST_ABORTED');
}

async function deleteWithEntry(
  tx: Transaction,
  actor: AuditActor,
  { slug, force }: { readonly slug: string; readonly force: boolean },
): Promise<void> {
  const before = await getBucketView(tx, slug);
  switch (await deleteBucketRow(tx, slug, force)) {
    case 'bucket_missing':
      throw fail('BUCKET_NOT_FOUND', { slug });
    case 'bucket_not_empty':
      throw fail('BUCKET_NOT_EMPTY', { slug });
    case 'deleted':
      await appendAudit(tx, { actor, action: 'bucket.delete', target: slug, before, after: null });
  }
}

async function getBucketView(tx: Transaction, slug: string): Promise<BucketView> {
  const bucket = await findBucketView(tx, slug);
  if (!bucket) throw fail('BUCKET_NOT_FOUND', { slug });
  return bucket;
}
