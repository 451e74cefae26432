import { type AppError, fail } from '#libs/errors';

import type { AskedDatabase } from './asked-database.js';
import { type FileReader, findFile } from './locate.js';
import { changedMeanwhile } from './write-condition.js';

/**
 * The error for an upload to a key that a file has, or whose file is not the expected one. For a file that the
 * uploader cannot see, it says only that policies forbid the upload, with and without `upsert`.
 */
export async function takenError(
  project: AskedDatabase,
  uploader: FileReader,
  taken: {
    readonly bucket: string;
    readonly key: string;
    readonly upsert: boolean;
    readonly outcome: 'key_taken' | 'not_expected';
  },
): Promise<AppError> {
  const { bucket, key, upsert, outcome } = taken;
  if (uploader.kind === 'caller') {
    const locator = { kind: 'key', bucket, key } as const;
    const isHidden = !(await findFile(project, uploader, locator));
    if (isHidden && (await findFile(project, { kind: 'platform' }, locator))) return fail('42501');
  }
  if (outcome === 'not_expected') return changedMeanwhile();
  return fail(upsert ? '42501' : 'FILE_EXISTS');
}
