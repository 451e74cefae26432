// What answers with an image say: headers as those of its source, with an entity tag, a type and a name of its own.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { type Variant, variantName } from '#libs/image-transform';
import {
  contentRange,
  entityTag,
  evaluateConditions,
  imageFileName,
  notModifiedHeaders,
  servedHeaders,
} from '#libs/storage-rules';

import { fileName, isPublic } from '../core/file-view.js';
import type { StoredFile } from '../core/stored-file.js';
import { preconditionError } from '../core/write-condition.js';

export interface ImageExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An image as it is answered, before there are bytes of it. */
export interface AnsweredImage {
  /** Identifies the bytes, for every caller. */
  readonly name: string;
  readonly etag: string;
  readonly lastModified: Date;
  readonly headers: Readonly<Record<string, string>>;
}

export function imageOf(
  file: StoredFile,
  chosen: { readonly variant: Variant; readonly isNegotiated: boolean },
): AnsweredImage {
  const { variant, isNegotiated } = chosen;
  const name = variantName(variant);
  const updatedAt = new Date(file.updatedAt);
  const served = servedHeaders({
    version: name,
    mediaType: `image/${variant.format}`,
    updatedAt,
    isPublic: isPublic(file),
    fileName: imageFileName(fileName(file.key), variant.format),
    cacheControl: file.cacheControl ?? undefined,
    isNegotiated,
  });
  // Answers differ by origin, including those that a cache stored for a request without one.
  const vary = served['vary'] === undefined ? 'Origin' : `Origin, ${served['vary']}`;
  return { name, etag: entityTag(name), lastModified: updatedAt, headers: { ...served, vary } };
}

/** Answers a client that has the image; whether it has. Throws PRECONDITION_FAILED (412). */
export function answerUnchanged(
  { request, reply }: ImageExchange,
  { etag, lastModified, headers }: AnsweredImage,
): boolean {
  const { method } = request;
  // The range comes last, when the length of the image is known.
  const asked = { ...request.headers, range: undefined };
  const current = { etag, lastModified, isDateStrong: false, size: 0 };
  const { status } = evaluateConditions({ method, headers: asked }, current);
  if (status === 412) throw preconditionError({ method, headers: asked }, current);
  if (status !== 304) return false;
  reply.code(304).headers(notModifiedHeaders(headers)).send();
  return true;
}

/** Sends the image or the range of it that is asked for. Throws INVALID_RANGE (416). */
export function sendImage(
  { request, reply }: ImageExchange,
  { etag, lastModified, headers }: AnsweredImage,
  bytes: Buffer,
): void {
  const size = bytes.length;
  const answer = evaluateConditions(request, { etag, lastModified, isDateStrong: false, size });
  if (answer.status === 416) {
    reply.header('content-range', contentRange(undefined, size));
    throw fail('INVALID_RANGE');
  }
  const part = answer.status === 206 ? answer : undefined;
  const body = part ? bytes.subarray(part.start, part.end + 1) : bytes;
  reply.code(answer.status).headers({ ...headers, 'content-length': String(body.length) });
  if (part) reply.header('content-range', contentRange(part, size));
  reply.send(body);
}
