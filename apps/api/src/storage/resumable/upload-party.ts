// Who may start and continue uploads: their owner, the project's own server, and holders of a write token of the bucket
// (such uploads belong to no user). All others get UPLOAD_NOT_FOUND.
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { scopeOf } from '../../http/request-scope.js';
import { bucketTokenOf, requireBucketToken } from '../core/bucket-token.js';
import type { Uploader } from '../core/reservations.js';
import { uploaderOf } from '../uploads/upload-request.js';
import type { FinishedUpload, OpenUpload } from './resumable.sql.js';

/** Returns the caller that starts an upload into this bucket. Throws the refusals of tokens, CAPABILITY_REQUIRED. */
export async function beginnerOf(request: FastifyRequest, bucket: string): Promise<Uploader> {
  const token = bucketTokenOf(request.headers);
  if (token === undefined) return uploaderOf(request);
  await requireBucketToken(scopeOf(request).lease.value, { slug: bucket, token, kind: 'write' });
  return { kind: 'platform' };
}

/** Returns the sender of the last byte of an upload, whose right was checked. Throws CAPABILITY_REQUIRED (403). */
export function finisherOf(request: FastifyRequest): Uploader {
  return bucketTokenOf(request.headers) === undefined ? uploaderOf(request) : { kind: 'platform' };
}

export type MayGoOn = (upload: OpenUpload | FinishedUpload) => Promise<boolean>;

/**
 * Which uploads the caller may go on with. Throws UNAUTHORIZED (401), CAPABILITY_REQUIRED (403); the answer throws
 * INVALID_BUCKET_TOKEN (401), BUCKET_TOKEN_KIND (403).
 */
export async function rightsOf(request: FastifyRequest): Promise<MayGoOn> {
  const project = scopeOf(request).lease.value;
  const token = bucketTokenOf(request.headers);
  if (token !== undefined) {
    return async ({ bucket, ownerId }) => {
      await requireBucketToken(project, { slug: bucket, token, kind: 'write' });
      return ownerId === null;
    };
  }
  const uploader = uploaderOf(request);
  const credential = uploader.kind === 'caller' ? uploader.credential : { kind: 'none' as const };
  const { caller } = await project.db.resolveCaller(credential);
  switch (caller.role) {
    case 'service_role':
      return async () => true;
    case 'authenticated':
      return async ({ ownerId }) => ownerId === caller.user.id;
    case 'anon':
      throw fail('UNAUTHORIZED');
  }
}
