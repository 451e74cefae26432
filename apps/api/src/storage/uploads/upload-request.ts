// From a request of HTTP to what the verbs of uploads take.
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { parseObjectKey } from '#libs/storage-rules';
import { isRecord } from '#libs/wire';

import { scopeOf } from '../../http/request-scope.js';
import { bucketTokenOf, requireBucketToken } from '../core/bucket-token.js';
import type { Uploader } from '../core/reservations.js';
import type { UploadRequest } from './read-upload.js';

interface UploadAddress {
  readonly takes: UploadRequest['takes'];
  readonly bucket?: string | undefined;
  readonly path?: string | undefined;
}

/** The upload of a caller. Throws CAPABILITY_REQUIRED (403) for an operator who may not write. */
export function callerUpload(request: FastifyRequest, address: UploadAddress): UploadRequest {
  return uploadOf(request, uploaderOf(request), address);
}

/**
 * An upload into the bucket that the address names, with the secret key or a token of the bucket that lets write.
 * Throws BUCKET_TOKEN_REQUIRED, INVALID_BUCKET_TOKEN (401), BUCKET_TOKEN_KIND (403).
 */
export async function bucketUpload(request: FastifyRequest, slug: string): Promise<UploadRequest> {
  const { credential, lease } = scopeOf(request);
  const address = { takes: 'form or bytes', bucket: slug } as const;
  const token = bucketTokenOf(request.headers);
  if (token === undefined && (credential.kind === 'secret-key' || credential.kind === 'operator')) {
    return callerUpload(request, address);
  }
  await requireBucketToken(lease.value, { slug, token, kind: 'write' });
  return uploadOf(request, { kind: 'platform' }, address);
}

/** Returns the caller as the uploader. Throws CAPABILITY_REQUIRED (403). */
export function uploaderOf(request: FastifyRequest): Uploader {
  const { credential, client } = scopeOf(request);
  if (credential.kind === 'operator') {
    const capability = 'content.write';
    if (!credential.operator.capabilities.includes(capability)) {
      throw fail('CAPABILITY_REQUIRED', { capability });
    }
  }
  return { kind: 'caller', credential, client };
}

function uploadOf(
  request: FastifyRequest,
  uploader: Uploader,
  { takes, bucket, path }: UploadAddress,
): UploadRequest {
  const named = new Map<string, string>();
  if (bucket !== undefined) named.set('bucket', bucket);
  if (path !== undefined) named.set('path', parseObjectKey(path));
  return {
    project: scopeOf(request).lease.value,
    uploader,
    raw: request.raw,
    query: queryOf(request),
    named,
    takes,
    onError: errorLogOf(request),
  };
}

/** Returns what writes failures that do not change the answer of the request to the log. */
export function errorLogOf(request: FastifyRequest): UploadRequest['onError'] {
  return (err, doing) => request.log.warn({ err, requestId: request.id }, `failed: ${doing}`);
}

function queryOf({ query }: FastifyRequest): Readonly<Record<string, unknown>> {
  return isRecord(query) ? query : {};
}
