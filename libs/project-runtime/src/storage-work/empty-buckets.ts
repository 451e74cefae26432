// Deletes the files of buckets that are to be emptied, some at a time, so that uploads never wait for long.
import { randomUUID } from 'node:crypto';

import { emptyRound, releaseEmptying, takeEmptying } from './emptying.sql.js';
import { codeOf, type StoreAccess } from './remove-garbage.js';

/** Continues until every bucket to empty is empty or belongs to another process, or the signal aborts. */
export async function emptyBuckets(
  { db, onError }: Pick<StoreAccess, 'db' | 'onError'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const runner = randomUUID();
    const bucket = await takeEmptying(db, runner);
    if (bucket === undefined) return;
    const run = { bucket, runner };
    let failure: string | undefined;
    try {
      // One round after the other: each locks the bucket.
      while (!signal.aborted && (await emptyRound(db, run)) === 'running');
    } catch (error) {
      failure = codeOf(error);
      onError(error, `empty the bucket ${bucket}`);
    }
    await releaseEmptying(db, run, failure);
  }
}
