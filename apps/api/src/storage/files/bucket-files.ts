// Files for programs and pages that are not users of the project: by the address of a bucket, with one of its tokens,
// or without a credential if bucket and file are public.
import type { IncomingHttpHeaders } from 'node:http';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { Capability, Credential } from '#libs/wire';

import { requireCapability } from '../../http/require-capability.js';
import { bucketTokenOf, requireBucketToken, type TokenKind } from '../core/bucket-token.js';
import { findBucket } from '../core/buckets.js';
import { type FileView, isPublic } from '../core/file-view.js';
import { findFile, parseLocator } from '../core/locate.js';
import type { StoredFile } from '../core/stored-file.js';
import { writeConditionOf } from '../core/write-condition.js';
import { deleteFile } from './delete-files.js';

/** A request for a file of a bucket, with its credential. */
export interface BucketRequest {
  readonly slug: string;
  /** A key or an id. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly credential: Credential;
}

/**
 * The file to be read. Does not reveal to guests of a public bucket which private files exist. Throws FILE_NOT_FOUND
 * (404), for the private bucket of a guest BUCKET_TOKEN_REQUIRED (401), what a token that is shown is refused with.
 */
export async function findBucketFile(
  project: ProjectRuntime,
  asked: BucketRequest,
): Promise<StoredFile> {
  const { slug, path, headers } = asked;
  const file = await findFile(project, { kind: 'platform' }, parseLocator(slug, path));
  if (file && isPublic(file)) return file;
  const isGuest = bucketTokenOf(headers) === undefined && !isServer(asked.credential);
  const isOpen = file?.isBucketPublic ?? (isGuest && (await findBucket(project, slug))?.public);
  if (isGuest && isOpen === true) throw fail('FILE_NOT_FOUND');
  await requireRight(project, asked, 'read', 'content.read');
  if (!file) throw fail('FILE_NOT_FOUND');
  return file;
}

/** Deletes the file. Throws FILE_NOT_FOUND (404), and 401 or 403 without a token for deleting. */
export async function deleteBucketFile(
  project: ProjectRuntime,
  asked: BucketRequest,
): Promise<FileView> {
  const locator = parseLocator(asked.slug, asked.path);
  await requireRight(project, asked, 'delete', 'content.write');
  return deleteFile(project, { kind: 'platform' }, locator, writeConditionOf(asked.headers));
}

/** Requires a token of the kind, or the project's own server; of an operator the capability. */
async function requireRight(
  project: ProjectRuntime,
  { slug, headers, credential }: BucketRequest,
  kind: TokenKind,
  capability: Capability,
): Promise<void> {
  requireCapability(credential, capability);
  if (isServer(credential)) return;
  await requireBucketToken(project, { slug, kind, token: bucketTokenOf(headers) });
}

/** The project's own server, and operators in its place. */
function isServer({ kind }: Credential): boolean {
  return kind === 'secret-key' || kind === 'operator';
}
