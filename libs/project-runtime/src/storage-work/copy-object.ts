// Copies one object from one driver to another under the same version, and verifies that the copy is complete.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { AppError } from '#libs/errors';
import type { ObjectAddress, StorageDriver } from '#libs/storage-driver';

import type { MovableFile } from './relocation.sql.js';

/** The copy would differ from the row; the message is the reason. */
export class WrongContentError extends Error {}

export interface ObjectCopy {
  readonly from: StorageDriver;
  readonly to: StorageDriver;
  /** For the local driver. An absolute path. */
  readonly storageFolder: string;
  readonly signal: AbortSignal;
}

/**
 * Copies the object of a file; false if the object is missing. Throws WrongContentError if size or checksum differ from
 * the file's row, and the errors of the drivers; then the copy does not exist.
 */
export async function copyObject(copy: ObjectCopy, file: MovableFile): Promise<boolean> {
  const address = { bucket: file.bucket, key: file.storedKey, version: file.version };
  try {
    return await writeCopy(copy, address, file);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STORAGE_OBJECT_EXISTS') throw error;
  }
  // A killed process leaves the whole copy, or a part of it under its temporary name. No upload writes under the
  // version of a file, so anything that exists is from a move.
  if (await copy.to.stat(address)) return verifyCopy(copy, address, file);
  await rm(join(copy.storageFolder, '.tmp', file.version), { force: true });
  return writeCopy(copy, address, file);
}

async function writeCopy(
  { from, to, signal }: ObjectCopy,
  address: ObjectAddress,
  { size, mediaType, sha256 }: MovableFile,
): Promise<boolean> {
  const source = await from.read(address, { signal });
  if (!source) return false;
  try {
    if (source.size !== size) {
      throw new WrongContentError(`${source.size} bytes are stored instead of ${size}`);
    }
    const written = await to.write(address, source.body, {
      maxBytes: size,
      size,
      mediaType,
      withSha256: sha256 !== null,
      signal,
    });
    if (sha256 === null || written.sha256 === sha256) return true;
  } finally {
    source.body.destroy();
  }
  await to.remove(address);
  throw new WrongContentError('the checksum differs');
}

async function verifyCopy(
  { to, signal }: ObjectCopy,
  address: ObjectAddress,
  { size, sha256 }: MovableFile,
): Promise<boolean> {
  const found = await to.read(address, { signal });
  const hash = createHash('sha256');
  if (found && sha256 !== null) await pipeline(found.body, hash);
  found?.body.destroy();
  if (found?.size === size && (sha256 === null || hash.digest('hex') === sha256)) return true;
  await to.remove(address);
  throw new WrongContentError('an earlier copy was incomplete; it was removed');
}
