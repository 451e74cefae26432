import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { PresignedWrite, PresignReadOptions, PresignWriteOptions } from '../storage-driver.js';
import type { ObjectTarget } from './object-target.js';

/**
 * Headers that the signature covers: the store refuses any other length or type. The presigner leaves them
 * out unless they are named here.
 */
const BOUND_HEADERS = ['host', 'content-length', 'content-type'];
const onceHeader = 'if-none-match';

/** A URL for one upload. With `isOnce` the store refuses it when the object is there already. */
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
      // A condition in the query is not one: it has to be sent as the header.
      ...(isOnce && { unhoistableHeaders: new Set([onceHeader]) }),
    },
  );
  return { url, headers: { 'content-type': mediaType, ...(isOnce && { [onceHeader]: '*' }) } };
}

/** A URL that gives the object to whoever has it, with the headers asked for. */
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
