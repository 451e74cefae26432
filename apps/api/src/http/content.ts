import type { FastifyInstance, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

/** The largest body of a request, in bytes. */
export const maxBodyBytes = 10 * 1024 * 1024;

/**
 * How bodies are read: the auth engine gets the bytes as they came, table routes the JSON text (the
 * database reads it), every other route a parsed value.
 */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser(
    /^application\/(?:[\w.+-]+\+)?json/i,
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (request: FastifyRequest, body: Buffer, done) => {
      if (isAuthRoute(request)) done(null, body);
      else if (isTableRoute(request)) done(null, body.toString('utf8'));
      else if (body.length === 0) done(null, undefined);
      // The parser answers by the callback, never by a promise.
      else {
        void parseJson(request, body.toString('utf8'), (error, value) =>
          error ? done(fail('INVALID_JSON', {}, { cause: error }), undefined) : done(null, value),
        );
      }
    },
  );
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (request: FastifyRequest, body: Buffer, done) => {
      if (isAuthRoute(request)) done(null, body);
      else if (body.length === 0) done(null, undefined);
      else {
        const type = request.headers['content-type'] ?? 'none';
        done(fail('UNSUPPORTED_MEDIA_TYPE', { type }), undefined);
      }
    },
  );
}

const isAuthRoute = (request: FastifyRequest) => request.url.startsWith('/api/auth/');
const isTableRoute = (request: FastifyRequest) => request.url.startsWith('/rest/v1/');
