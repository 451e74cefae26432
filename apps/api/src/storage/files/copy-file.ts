import type { ProjectRuntime, ProjectStorage } from '#libs/project-runtime';
import { fail } from '#libs/errors';
import { parseObjectKey, parseUserMetadata } from '#libs/storage-rules';

import { commitUpload } from '../core/commit-upload.js';
import { type FileView, fileView } from '../core/file-view.js';
import { getFile, parseLocator } from '../core/locate.js';
import { releaseUpload, type Reservation, reserveUpload } from '../core/reservations.js';
import { objectAddress, type StoredFile, type Visibility } from '../core/stored-file.js';
import type { WriteCondition } from '../core/write-condition.js';
import { followsBucket } from './file-changes.sql.js';
import type { CallingReader } from './file-rights.sql.js';
import type { Relocation } from './move-file.js';

/** A copy that takes longer has failed: a store that copies within itself needs minutes for the largest file. */
const longestCopySeconds = 6 * 3600;

/**
 * Copies a file to another key of its bucket, as the caller's own. The condition is one on the file at that key. Throws
 * what reading the file and uploading it throw: UNAUTHORIZED (401), FILE_NOT_FOUND and STORAGE_OBJECT_MISSING (404),
 * 42501 (403), FILE_EXISTS (409), PRECONDITION_FAILED (412), QUOTA_EXCEEDED and FILE_TOO_LARGE (413),
 * MEDIA_TYPE_NOT_ALLOWED (415).
 */
export async function copyFile(
  project: ProjectRuntime,
  reader: CallingReader,
  {
    bucket,
    from,
    to,
    upsert,
    condition,
  }: Relocation & { readonly condition: WriteCondition | undefined },
): Promise<FileView> {
  const key = parseObjectKey(to);
  const source = await getFile(project, reader, parseLocator(bucket, from));
  using lease = await project.files.acquire();
  const storage = lease.value;
  const visibility = await askedVisibility(project, source);
  const plan = { ...planOf(source), visibility, key, upsert, condition };
  const reservation = await reserveUpload(project, reader, plan, storage.kind);
  try {
    await copyBytes(storage, source, { reservation, signal: reader.client?.signal });
    const content = { kind: 'in-place', size: source.size } as const;
    const { file } = await commitUpload(project, reader, reservation.id, content);
    return fileView(project, file);
  } catch (error) {
    // Where even this fails, the reservation ends with its time.
    await releaseUpload(project, reservation.id).catch(() => undefined);
    throw error;
  } finally {
    project.files.work.schedule();
  }
}

function planOf(source: StoredFile) {
  const { bucket, mediaType, size } = source;
  return {
    bucket,
    mediaType,
    size,
    // Files of earlier releases may hold more than a new one may.
    userMetadata: parseUserMetadata(source.userMetadata),
    kind: 'copy' as const,
    sha256: source.sha256 ?? undefined,
    cacheControl: source.cacheControl ?? undefined,
    expiresInSeconds: longestCopySeconds,
  };
}

/** What the uploader of a file has asked for, so that a copy becomes public with its bucket as the file does. */
async function askedVisibility(
  project: ProjectRuntime,
  { id, visibility, isBucketPublic }: StoredFile,
): Promise<Visibility | undefined> {
  if (isBucketPublic) return visibility;
  return (await followsBucket(project, id)) ? undefined : visibility;
}

/** Within a driver the bytes do not pass through here; between two they do. */
async function copyBytes(
  storage: ProjectStorage,
  source: StoredFile,
  {
    reservation,
    signal,
  }: { readonly reservation: Reservation; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const from = storage.driverOf(source.driver);
  const to = storage.driverOf(reservation.driver);
  if (from === to) {
    await from.copy(objectAddress(source), reservation.address);
    return;
  }
  const opened = await from.read(objectAddress(source), { signal });
  if (!opened) throw fail('STORAGE_OBJECT_MISSING');
  try {
    await to.write(reservation.address, opened.body, {
      size: source.size,
      maxBytes: source.size,
      mediaType: source.mediaType,
      signal: signal ?? new AbortController().signal,
    });
  } finally {
    opened.body.destroy();
  }
}
