// Finds out why policies did not let a caller change a file: the database reports a deleted file in the same way as a
// file that policies protect.
import { type AppError, fail } from '#libs/errors';

import type { AskedDatabase } from './asked-database.js';

/**
 * The error for a caller who can see the file but not change it: 42501 (403), or FILE_NOT_FOUND (404) if it is gone by
 * now.
 */
export async function refusalOf(project: AskedDatabase, fileId: string): Promise<AppError> {
  return fail((await isStored(project, fileId)) ? '42501' : 'FILE_NOT_FOUND');
}

/** Whether the file exists, for any caller. */
export async function isStored(project: AskedDatabase, fileId: string): Promise<boolean> {
  const found = await project.db.queryAsEngine(
    'select from storage.stored_files where id operator(pg_catalog.=) $1',
    [fileId],
  );
  return found.length > 0;
}
