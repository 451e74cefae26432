import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { parseCacheControl, parseUserMetadata } from '#libs/storage-rules';

import { type FileView, fileView } from '../core/file-view.js';
import { getFile, type Locator } from '../core/locate.js';
import { changedMeanwhile, expectedFile, type WriteCondition } from '../core/write-condition.js';
import { refusalOf } from '../core/refusal.js';
import { changeRow, type FileChange } from './file-changes.sql.js';
import { type CallingReader, mayChange } from './file-rights.sql.js';

/**
 * Changes the properties of a file; its bytes stay. A file made public is only public in a public bucket. Throws
 * UNAUTHORIZED (401), FILE_NOT_FOUND (404), INVALID_INPUT (400), 42501 (403) if policies refuse, PRECONDITION_FAILED
 * (412).
 */
export async function changeFile(
  project: ProjectRuntime,
  reader: CallingReader,
  {
    locator,
    change,
    condition,
  }: {
    readonly locator: Locator;
    readonly change: Omit<FileChange, 'followsBucket'>;
    readonly condition: WriteCondition | undefined;
  },
): Promise<FileView> {
  const { cacheControl: asked } = change;
  const metadata = change.metadata && parseUserMetadata(change.metadata);
  const cacheControl = typeof asked === 'string' ? parseCacheControl(asked) : asked;
  const file = await getFile(project, reader, locator);
  const { id, isBucketPublic } = file;
  const isConditional = expectedFile(condition, file) !== undefined;
  const visibility =
    change.visibility === 'public' && !isBucketPublic ? 'private' : change.visibility;
  // Policies check the requested visibility: the file becomes public as soon as its bucket does.
  const wanted = { id, visibility: change.visibility, metadata };
  if (!(await mayChange(project, reader, wanted))) {
    throw await refusalOf(project, id);
  }
  const followsBucket = change.visibility && change.visibility === 'public' && !isBucketPublic;
  const version = isConditional ? file.version : undefined;
  const values = { visibility, followsBucket, cacheControl, metadata };
  const changed = await changeRow(project, { id, version }, values);
  if (!changed) throw isConditional ? changedMeanwhile() : fail('FILE_NOT_FOUND');
  return fileView(project, changed);
}
