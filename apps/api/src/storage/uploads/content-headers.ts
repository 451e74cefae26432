import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyReply } from 'fastify';

import { fail } from '#libs/errors';
import { resumablePath } from '#libs/wire';

/**
 * Refuses headers that say that the body is not the content itself. Throws CONTENT_ENCODING_NOT_SUPPORTED (415) for
 * encoded bytes, which would be served to readers without that header (RFC 9110 §15.5.16), and
 * INVALID_UPLOAD_HEADER (400) for a part of a file, which would replace all of it (RFC 9110 §14.5).
 */
export function checkContentHeaders(headers: IncomingHttpHeaders, reply: FastifyReply): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding.trim())) {
    reply.header('accept-encoding', 'identity');
    throw fail('CONTENT_ENCODING_NOT_SUPPORTED', { encoding: encoding.slice(0, 64) });
  }
  if (headers['content-range'] !== undefined) {
    const reason = `a part of a file cannot be stored; send all of it, or use ${resumablePath}`;
    throw fail('INVALID_UPLOAD_HEADER', { header: 'Content-Range', reason });
  }
}
