import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { isUuid, parseObjectKey } from '#libs/storage-rules';

import type { AskedDatabase } from '../core/asked-database.js';
import { type FileView, fileView } from '../core/file-view.js';
import { type FileReader, getFile, type Locator, parseSlug } from '../core/locate.js';
import { refusalOf } from '../core/refusal.js';
import type { StoredFile } from '../core/stored-file.js';
import { changedMeanwhile, expectedFile, type WriteCondition } from '../core/write-condition.js';
import { deleteRows } from './file-changes.sql.js';
import { type CallingReader, listDeletable, listNamedDeletable } from './file-rights.sql.js';

/**
 * Deletes a file; its bytes are removed a little later. Throws UNAUTHORIZED (401), FILE_NOT_FOUND (404), and
 * 42501 (403) where policies let the caller see the file and not delete it, PRECONDITION_FAILED (412).
 */
export async function deleteFile(
  project: ProjectRuntime,
  reader: FileReader,
  locator: Locator,
  condition?: WriteCondition,
): Promise<FileView> {
  const file = await getDeletable(project, reader, locator, (found) => {
    expectedFile(condition, found);
  });
  const { id, bucket, key, version } = file;
  const isConditional = expectedFile(condition, file) !== undefined;
  // For the caller, a key that now belongs to a moved file names another file.
  const keys = locator.kind === 'key' && locator.key === key ? [key] : undefined;
  const versions = isConditional ? [version] : undefined;
  const [deleted] = await deleteRows(project, bucket, { ids: [id], keys, versions });
  if (!deleted) throw isConditional ? changedMeanwhile() : fail('FILE_NOT_FOUND');
  project.files.work.schedule();
  return fileView(project, deleted);
}

/**
 * Returns a file that the reader may delete; `inspect` is called as soon as it is found. Throws UNAUTHORIZED (401),
 * FILE_NOT_FOUND (404), 42501 (403), and the errors of `inspect`.
 */
export async function getDeletable(
  project: AskedDatabase,
  reader: FileReader,
  locator: Locator,
  inspect?: (file: StoredFile) => void,
): Promise<StoredFile> {
  const file = await getFile(project, reader, locator);
  inspect?.(file);
  if (reader.kind === 'caller') {
    const deletable = await listDeletable(project, reader, [file.id]);
    if (deletable.length === 0) throw await refusalOf(project, file.id);
  }
  return file;
}

/**
 * Deletes those of the files, named by key or id, that the caller sees and may delete, and gives them.
 * Throws INVALID_BUCKET_SLUG and INVALID_OBJECT_KEY (400).
 */
export async function removeFiles(
  project: ProjectRuntime,
  reader: CallingReader,
  named: { readonly bucket: string; readonly paths: readonly string[] },
): Promise<readonly FileView[]> {
  const bucket = parseSlug(named.bucket);
  const files = named.paths.map((path) => {
    const key = parseObjectKey(path);
    return { key, id: isUuid(key) ? key : null };
  });
  const ids = await listNamedDeletable(project, reader, { bucket, files });
  if (ids.length === 0) return [];
  const keys = files.every(({ id }) => id === null) ? files.map(({ key }) => key) : undefined;
  const deleted = await deleteRows(project, bucket, { ids, keys });
  project.files.work.schedule();
  return deleted.map((file) => fileView(project, file));
}
