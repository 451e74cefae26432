import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { matchesMediaTypes, parseObjectKey } from '#libs/storage-rules';

import { type FileView, fileView } from '../core/file-view.js';
import { findFile, getFile, parseLocator } from '../core/locate.js';
import { refusalOf } from '../core/refusal.js';
import type { StoredFile } from '../core/stored-file.js';
import { findMoveTarget, type MovedTo, moveRow } from './file-changes.sql.js';
import { type CallingReader, readMoveRights } from './file-rights.sql.js';

/** From one key of a bucket to another. */
export interface Relocation {
  readonly bucket: string;
  /** A key or an id. */
  readonly from: string;
  /** A key. */
  readonly to: string;
  /** Whether the file that has the key `to` is replaced. */
  readonly upsert: boolean;
}

/** Other requests may keep putting files under the key between the check of rights and the move. */
const maxTries = 3;

/**
 * Gives a file another key in its bucket; its bytes stay where they are. Throws UNAUTHORIZED (401), FILE_NOT_FOUND
 * (404), 42501 (403) where policies refuse, MEDIA_TYPE_NOT_ALLOWED (415) and FILE_TOO_LARGE (413) where the rules of
 * the bucket have changed since, FILE_EXISTS (409); 42501 too for a key whose file the caller does not see.
 */
export async function moveFile(
  project: ProjectRuntime,
  reader: CallingReader,
  { bucket, from, to, upsert }: Relocation,
): Promise<FileView> {
  const toKey = parseObjectKey(to);
  const file = await getFile(project, reader, parseLocator(bucket, from));
  const fromKey = file.key === from.normalize('NFC') ? file.key : undefined;
  for (let tries = 1; tries <= maxTries; tries++) {
    const allowed = await checkMove(project, reader, { file, toKey, upsert });
    // Another file that has come since the rights were asked is not deleted but asked about.
    const moved = allowed && (await moveOnce(project, { ...allowed, id: file.id, fromKey, toKey }));
    if (moved) return fileView(project, moved);
    if (!upsert) break;
  }
  const inTheWay = await findFile(project, reader, parseLocator(bucket, toKey));
  throw fail(inTheWay ? 'FILE_EXISTS' : '42501');
}

/**
 * The file that the move may replace, if there is one; undefined when it has gone while rights were asked. Throws
 * unless bucket and policies allow the move.
 */
async function checkMove(
  project: ProjectRuntime,
  reader: CallingReader,
  move: { readonly file: StoredFile; readonly toKey: string; readonly upsert: boolean },
): Promise<Pick<MovedTo, 'replaces'> | undefined> {
  const { file, toKey, upsert } = move;
  const target = await findMoveTarget(project, file.bucket, toKey);
  if (!target) throw fail('FILE_NOT_FOUND');
  const inTheWay = target.file_id === file.id ? undefined : (target.file_id ?? undefined);
  const replaces = upsert ? inTheWay : undefined;
  const rights = await readMoveRights(project, reader, { id: file.id, toKey, targetId: replaces });
  if (!rights.mayMove) throw await refusalOf(project, file.id);
  if (!rights.mayReplace) {
    const now = await findMoveTarget(project, file.bucket, toKey);
    if (now?.file_id === replaces) throw fail('42501');
    return undefined;
  }
  const { allowed_media_types: allowed } = target;
  if (allowed && !matchesMediaTypes(file.mediaType, allowed)) {
    throw fail('MEDIA_TYPE_NOT_ALLOWED', { type: file.mediaType });
  }
  return { replaces };
}

/** The moved file; undefined when another one has the key. */
async function moveOnce(project: ProjectRuntime, move: MovedTo): Promise<StoredFile | undefined> {
  const row = await moveRow(project, move);
  switch (row?.outcome) {
    case 'moved':
      project.files.work.schedule();
      return row.file;
    case 'key_taken':
      return undefined;
    case 'file_too_large':
      throw fail('FILE_TOO_LARGE', { maxBytes: row.maxFileBytes ?? 0 });
    case 'file_missing':
    case undefined:
      throw fail('FILE_NOT_FOUND');
  }
}
