import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { PresignedWrite, PresignReadOptions, PresignWriteOptions } from '../storage-driver.js';
import type { ObjectTarget } from './object-target.js';

/**
 * Headers that the signature covers: the store refuses any other length or type. The presigner omits them unless they
 * are listed here.
 */
const BOUND_HEADERS = ['host', 'content-length', 'content-type'];
const onceHeader = 'if-none-match';

/** Returns a URL for one upload. With `isOnce` the store refuses it if the object already exists. */
export async function presignWrite(
  client: S3Client,
  target: ObjectTarget,
  options: PresignWriteOptions & { readonly isOnce: boolean },
): Promise<PresignedWrite> {
  const { size, mediaType, expiresInSeconds, isOnce } = options;
  const url = await getSignedUrl(
    client,
    new PutObjectCommand({
      ...target,
      ContentLength: size,
      ContentType: mediaType,
      ...(isOnce && { IfNoneMatch: '*' }),
    }),
    {
      expiresIn: expiresInSeconds,
      signableHeaders: new Set([...BOUND_HEADERS, ...(isOnce ? [onceHeader] : [])]),
      // The store ignores a condition in the query: it has to be sent as the header.
      ...(isOnce && { unhoistableHeaders: new Set([onceHeader]) }),
    },
  );
  return { url, headers: { 'content-type': mediaType, ...(isOnce && { [onceHeader]: '*' }) } };
}

/** Returns a URL with which any client can read the object, answered with the given headers. */
export function presignRead(
  client: S3Client,
  target: ObjectTarget,
  { expiresInSeconds, responseHeaders = {} }: PresignReadOptions,
): Promise<string> {
  const { contentType, contentDisposition, cacheControl } = responseHeaders;
  return getSignedUrl(
    client,
    new GetObjectCommand({
      ...target,
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: cacheControl,
    }),
    { expiresIn: expiresInSeconds },
  );
}
