// Who may begin uploads and go on with them: their owner, the project's own server, and whoever has a token that
// lets write to the bucket, with uploads that belong to no user. For everybody else there is no such upload.
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { scopeOf } from '../../http/request-scope.js';
import { bucketTokenOf, requireBucketToken } from '../core/bucket-token.js';
import type { Uploader } from '../core/reservations.js';
import { uploaderOf } from '../uploads/upload-request.js';
import type { FinishedUpload, OpenUpload } from './resumable.sql.js';

/** Whoever begins an upload into this bucket. Throws what showing a token throws, CAPABILITY_REQUIRED (403). */
export async function beginnerOf(request: FastifyRequest, bucket: string): Promise<Uploader> {
  const token = bucketTokenOf(request.headers);
  if (token === undefined) return uploaderOf(request);
  await requireBucketToken(scopeOf(request).lease.value, { slug: bucket, token, kind: 'write' });
  return { kind: 'platform' };
}

/** Returns the sender of the last byte of an upload, whose right to send it was checked. Throws CAPABILITY_REQUIRED (403). */
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
