import type { FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';

/** The unread body of a request, or undefined when it has none (RFC 9112 §6.3). */
export function bodyOf(request: IncomingMessage): IncomingMessage | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && length !== '0') ? request : undefined;
}

/** Aborts if the client closes the connection before it has the whole answer. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
