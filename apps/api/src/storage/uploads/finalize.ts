// Makes a file of the content that was sent to a presigned URL, if it matches the announcement. Only the caller that
// made a reservation can see it.
import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { ObjectAddress, ObjectFacts, StorageDriver } from '#libs/storage-driver';
import {
  checkContent,
  isUuid,
  parseMediaType,
  sniffedBytes,
  sniffMediaType,
} from '#libs/storage-rules';
import type { Caller, Credential, DriverKind } from '#libs/wire';

import { commitUpload } from '../core/commit-upload.js';
import { findFile } from '../core/locate.js';
import { releaseUpload, type Uploader } from '../core/reservations.js';
import type { StoredFile } from '../core/stored-file.js';

/** Who finalizes: the credential decides which files it may see, the caller whose reservations it has. */
export interface Finalizer {
  readonly caller: Caller;
  readonly credential: Credential;
  /** Called with failures that do not change the answer. */
  readonly onError: (error: unknown, doing: string) => void;
}

/**
 * The file of a presigned upload; the same one when it is asked for again. Throws UPLOAD_NOT_FOUND and, while
 * nothing has come, STORAGE_OBJECT_MISSING (404); UPLOAD_INCOMPLETE (409), CHECKSUM_MISMATCH, CONTENT_MISMATCH
 * (400) and MEDIA_TYPE_NOT_ALLOWED (415), with which the upload has ended; FILE_EXISTS (409).
 */
export async function finalizeUpload(
  project: ProjectRuntime,
  finalizer: Finalizer,
  id: string,
): Promise<StoredFile> {
  if (!isUuid(id)) throw fail('UPLOAD_NOT_FOUND');
  const [found] = await project.db.queryAsEngine<FoundUpload>(findUpload, [id]);
  if (!found) throw fail('UPLOAD_NOT_FOUND');
  if (found.file_id !== null) return findMadeFile(project, finalizer, found.file_id);
  const { announced } = found;
  if (!announced || !isOwner(finalizer.caller, announced)) throw fail('UPLOAD_NOT_FOUND');
  using storage = await project.files.acquire();
  const driver = storage.value.driverOf(announced.driver);
  const work = { project, finalizer, driver, announced };
  try {
    return await (announced.isOnce ? finalizeInPlace(work) : finalizeCopy(work));
  } catch (error) {
    if (isFinal(error)) await discard(work);
    throw error;
  } finally {
    project.files.work.schedule();
  }
}

interface Finalizing {
  readonly project: ProjectRuntime;
  readonly finalizer: Finalizer;
  readonly driver: StorageDriver;
  readonly announced: Announced;
}

/** The store has taken one upload by the URL and takes no other: the bytes are the file's where they are. */
async function finalizeInPlace(work: Finalizing): Promise<StoredFile> {
  const { project, driver, announced } = work;
  await checkObject(driver, announced, addressOf(announced));
  const { id, size } = announced;
  const { file } = await commitUpload(project, uploaderOf(work), id, {
    kind: 'in-place',
    size,
  });
  return file;
}

/** The URL still works, and may replace what was checked: the file gets a copy under a name that no URL has. */
async function finalizeCopy(work: Finalizing): Promise<StoredFile> {
  const { project, driver, announced } = work;
  const { id, size } = announced;
  const copy = { ...addressOf(announced), version: randomUUID() };
  try {
    await checkSize(driver, announced);
    await driver.copy(addressOf(announced), copy);
    await checkObject(driver, announced, copy);
  } catch (error) {
    await removeObject(work, copy);
    return fileMadeMeanwhile(work, error);
  }
  try {
    const content = { kind: 'copied', size, copiedTo: copy.version } as const;
    const { file } = await commitUpload(project, uploaderOf(work), id, content);
    if (file.version !== copy.version) await removeObject(work, copy);
    return file;
  } catch (error) {
    // Without an answer the copy may be the content of the file. If it is not, the sweep of the storage removes it.
    if (isRefusal(error)) await removeObject(work, copy);
    return fileMadeMeanwhile(work, error);
  }
}

/** Returns the file that another request has made of the upload, whose bytes were removed then. Throws `error`. */
async function fileMadeMeanwhile(
  { project, finalizer, announced }: Finalizing,
  error: unknown,
): Promise<StoredFile> {
  const [found] = await project.db.queryAsEngine<FoundUpload>(findUpload, [announced.id]);
  if (!found?.file_id) throw error;
  return findMadeFile(project, finalizer, found.file_id);
}

/** Whether the database has answered that it makes no file of the upload. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}

/** A failure does not change the answer of the request: these bytes are removed later on, too. */
async function removeObject(
  { driver, finalizer }: Finalizing,
  address: ObjectAddress,
): Promise<void> {
  try {
    await driver.remove(address);
  } catch (error) {
    finalizer.onError(error, 'remove bytes of an upload');
  }
}

function uploaderOf({ finalizer: { credential } }: Finalizing): Uploader {
  return { kind: 'caller', credential };
}

/** A reservation as the statement below reads it. */
interface Announced {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly version: string;
  readonly driver: DriverKind;
  readonly size: number;
  readonly mediaType: string;
  readonly ownerId: string | null;
  readonly sha256: string | null;
  /** Whether its URL works once. */
  readonly isOnce: boolean;
  readonly allowedMediaTypes: readonly string[] | null;
}

interface FoundUpload {
  /** Of the file that the upload has made. */
  readonly file_id: string | null;
  readonly announced: Announced | null;
}

const findUpload = `select
    (select f.id from storage.stored_files f where f.upload_id operator(pg_catalog.=) $1) as file_id,
    (
      select pg_catalog.json_build_object('id', u.id, 'bucket', u.bucket, 'key', u.key,
        'version', u.version,
        'driver', u.driver, 'size', u.size, 'mediaType', u.media_type, 'ownerId', u.owner_id,
        'sha256', pg_catalog.encode(u.sha256, 'hex'), 'allowedMediaTypes', b.allowed_media_types,
        'isOnce', coalesce((u.driver_state operator(pg_catalog.->>) 'isOnce')::pg_catalog.bool, false))
      from storage.uploads u join storage.buckets b on b.slug operator(pg_catalog.=) u.bucket
      where u.id operator(pg_catalog.=) $1 and u.kind operator(pg_catalog.=) 'presign'
        and u.expires_at operator(pg_catalog.>) pg_catalog.now()
    ) as announced`;

async function findMadeFile(
  project: ProjectRuntime,
  { credential }: Finalizer,
  id: string,
): Promise<StoredFile> {
  const file = await findFile(project, { kind: 'caller', credential }, { kind: 'id', id });
  if (!file) throw fail('UPLOAD_NOT_FOUND');
  return file;
}

function isOwner(caller: Caller, { ownerId }: Announced): boolean {
  switch (caller.role) {
    case 'service_role':
      return true;
    case 'authenticated':
      return ownerId === caller.user.id;
    case 'anon':
      return false;
  }
}

/** Throws STORAGE_OBJECT_MISSING and UPLOAD_INCOMPLETE. */
async function checkSize(
  driver: StorageDriver,
  announced: Announced,
  address = addressOf(announced),
): Promise<ObjectFacts> {
  const { size } = announced;
  const facts = await driver.stat(address);
  if (!facts) throw fail('STORAGE_OBJECT_MISSING');
  if (facts.size !== size) {
    throw fail('UPLOAD_INCOMPLETE', { reason: `it has ${facts.size} bytes, not ${size}` });
  }
  return facts;
}

async function checkObject(
  driver: StorageDriver,
  announced: Announced,
  address: ObjectAddress,
): Promise<void> {
  const { size, mediaType, sha256, allowedMediaTypes } = announced;
  const facts = await checkSize(driver, announced, address);
  if (facts.mediaType !== undefined && parseMediaType(facts.mediaType) !== mediaType) {
    throw fail('UPLOAD_INCOMPLETE', { reason: `its type is not ${mediaType}` });
  }
  const head = await readStart(driver, address, size);
  checkContent(mediaType, sniffMediaType(head), allowedMediaTypes ?? undefined);
  if (sha256 !== null && (await hashOf(driver, address)) !== sha256)
    throw fail('CHECKSUM_MISMATCH');
}

async function readStart(
  driver: StorageDriver,
  address: ObjectAddress,
  size: number,
): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0);
  const range = { start: 0, end: Math.min(size, sniffedBytes) - 1 };
  return buffer(await openObject(driver, address, range));
}

async function hashOf(driver: StorageDriver, address: ObjectAddress): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await openObject(driver, address)) hash.update(chunk);
  return hash.digest('hex');
}

async function openObject(
  driver: StorageDriver,
  address: ObjectAddress,
  range?: { readonly start: number; readonly end: number },
): Promise<Readable> {
  const opened = await driver.read(address, range);
  if (!opened) throw fail('STORAGE_OBJECT_MISSING');
  return opened.body;
}

/** Whether what has come can never become the file. */
function isFinal(error: unknown): boolean {
  const codes = [
    'UPLOAD_INCOMPLETE',
    'CHECKSUM_MISMATCH',
    'CONTENT_MISMATCH',
    'MEDIA_TYPE_NOT_ALLOWED',
  ];
  return error instanceof AppError && codes.includes(error.code);
}

/** The reservation goes first: with it the bytes are on the list of what is removed, also later on. */
async function discard(work: Finalizing): Promise<void> {
  const { project, announced } = work;
  await releaseUpload(project, announced.id);
  await removeObject(work, addressOf(announced));
}

function addressOf({ bucket, key, version }: Announced): ObjectAddress {
  return { bucket, key, version };
}
