// Finds the source file of an image. Everyone who may read the file may request images of it: callers under their
// policies, holders of a read token of the bucket, and all if file and bucket are public.
import type { IncomingHttpHeaders } from 'node:http';

import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { type RequestScope } from '../../http/request-scope.js';
import { bucketTokenOf, requireBucketToken } from '../core/bucket-token.js';
import { findBucket } from '../core/buckets.js';
import { isPublic } from '../core/file-view.js';
import { findFile, type Locator } from '../core/locate.js';
import type { StoredFile } from '../core/stored-file.js';

const platform = { kind: 'platform' } as const;

/** The caller that requests an image. */
export interface ImageReader extends Pick<RequestScope, 'credential' | 'client'> {
  readonly headers: IncomingHttpHeaders;
}

/**
 * The file, in one round trip as a rule. Throws FILE_NOT_FOUND (404); UNAUTHORIZED (401) for guests, which does
 * not reveal which private files exist; CAPABILITY_REQUIRED (403); what a token of a bucket is refused with.
 */
export async function findImage(
  project: ProjectRuntime,
  reader: ImageReader,
  locator: Locator,
): Promise<StoredFile> {
  const token = bucketTokenOf(reader.headers);
  if (token !== undefined) return findWithToken(project, token, locator);
  const own = await findAsCaller(project, reader, locator);
  if (own !== 'guest' && own) return own;
  const file = await findFile(project, platform, locator);
  if (file && isPublic(file)) return file;
  if (own !== 'guest' || (await isOpen(project, locator))) throw fail('FILE_NOT_FOUND');
  throw fail('UNAUTHORIZED');
}

async function findWithToken(
  project: ProjectRuntime,
  token: string,
  locator: Locator,
): Promise<StoredFile> {
  const file = await findFile(project, platform, locator);
  if (file && isPublic(file)) return file;
  const slug = locator.kind === 'key' ? locator.bucket : file?.bucket;
  if (slug !== undefined) await requireToken(project, { slug, token, locator });
  if (!file) throw fail('FILE_NOT_FOUND');
  return file;
}

/** Does not reveal to the holder of a token of one bucket which file ids other buckets have. */
async function requireToken(
  project: ProjectRuntime,
  {
    slug,
    token,
    locator,
  }: { readonly slug: string; readonly token: string; readonly locator: Locator },
): Promise<void> {
  try {
    await requireBucketToken(project, { slug, token, kind: 'read' });
  } catch (error) {
    const isForeign = error instanceof AppError && error.code === 'INVALID_BUCKET_TOKEN';
    throw isForeign && locator.kind === 'id' ? fail('FILE_NOT_FOUND') : error;
  }
}

/** Returns the file if the caller's policies show it; `guest` for a caller without a credential. */
async function findAsCaller(
  project: ProjectRuntime,
  { credential, client }: ImageReader,
  locator: Locator,
): Promise<StoredFile | undefined | 'guest'> {
  if (credential.kind === 'none') return 'guest';
  if (
    credential.kind === 'operator' &&
    !credential.operator.capabilities.includes('content.read')
  ) {
    throw fail('CAPABILITY_REQUIRED', { capability: 'content.read' });
  }
  try {
    return await findFile(project, { kind: 'caller', credential, client }, locator);
  } catch (error) {
    // A session that has ended makes a guest of its bearer.
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return 'guest';
    throw error;
  }
}

/** Whether guests see what the bucket has, so that they may learn what it has not. */
async function isOpen(project: ProjectRuntime, locator: Locator): Promise<boolean> {
  if (locator.kind === 'id') return false;
  return (await findBucket(project, locator.bucket))?.public === true;
}
