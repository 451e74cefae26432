import { fail } from '#libs/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The largest body that the console itself reads. What goes through the proxy is streamed. */
export const maxBodyBytes = 1024 * 1024;

/** The route that forwards to a project; its body is left in the socket for the proxy. */
export const proxyRoute = '/platform/projects/:ref/api/*';

/** Bodies are JSON, everywhere but behind the proxy. */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('*', (request: FastifyRequest, payload, done) => {
    if (request.routeOptions.url === proxyRoute) {
      done(null);
      return;
    }
    readAll(payload).then(
      (text) => {
        const type = request.headers['content-type'] ?? 'none';
        if (text === '') done(null);
        else if (!isJson.test(type)) done(fail('UNSUPPORTED_MEDIA_TYPE', { type }));
        else {
          // The parser answers by the callback, never by a promise.
          void parseJson(request, text, (cause, body) => {
            if (cause) done(fail('INVALID_JSON', {}, { cause }));
            else done(null, body);
          });
        }
      },
      (error: Error) => done(error),
    );
  });
}

const isJson = /^application\/json\s*(;|$)/i;

async function readAll(payload: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of payload) {
    length += chunk.length;
    if (length > maxBodyBytes) throw fail('BODY_TOO_LARGE', { maxBytes: maxBodyBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
