// How bodies are read: the auth engine gets the bytes as they came, tables and functions the text, which
// the database reads, uploads of files read for themselves, and every other route a value parsed from JSON.
import { isUtf8 } from 'node:buffer';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { readBytes } from './read-bytes.js';

/** The largest body of a request where no setting of the project says otherwise, in bytes. */
export const maxBodyBytes = 10 * 1024 * 1024;

const isJson = /^application\/(?:[\w.+-]+\+)?json/i;
const isBinary = /^application\/octet-stream/i;

export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('*', (request: FastifyRequest, payload, done) => {
    if (readsForItself(request)) {
      done(null);
      return;
    }
    const type = request.headers['content-type'] ?? '';
    const maxBytes = bodyLimitOf(request);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      done(fail('BODY_TOO_LARGE', { maxBytes }));
      return;
    }
    readBytes(payload, maxBytes).then(
      (bytes) => {
        if (isAuthRoute(request)) done(null, bytes);
        else if (isRestRoute(request)) finish(done, () => restBody(bytes, type));
        else if (bytes.length === 0) done(null);
        else if (!isJson.test(type)) {
          done(fail('UNSUPPORTED_MEDIA_TYPE', { type: type === '' ? 'none' : type }));
        } else {
          // The parser answers by the callback, never by a promise.
          void parseJson(request, bytes.toString('utf8'), (cause, value) =>
            cause ? done(fail('INVALID_JSON', {}, { cause })) : done(null, value),
          );
        }
      },
      (error: Error) => done(error),
    );
  });
}

/** A route with `@RouteConfig(streamedBody)` finds its body unread in `request.raw`. */
export const streamedBody = { body: 'stream' } as const;

function readsForItself({ routeOptions }: FastifyRequest): boolean {
  // Fastify knows no field of ours in the configuration of a route.
  return Reflect.get(routeOptions.config, 'body') === streamedBody.body;
}

const isAuthRoute = (request: FastifyRequest) => request.url.startsWith('/api/auth/');
const isRestRoute = (request: FastifyRequest) => request.url.startsWith('/rest/v1/');

/** Known before the body is read: the hooks have found the project by its host. */
function bodyLimitOf(request: FastifyRequest): number {
  const { scope } = request;
  if (!scope || !isRestRoute(request)) return maxBodyBytes;
  return scope.lease.value.settings.get('api.rest').maxBodyBytes;
}

/** Text as it came; bytes in PostgreSQL's text form of them. Throws PGRST102 for text that is not UTF-8. */
function restBody(bytes: Buffer, type: string): string {
  if (isBinary.test(type)) return `\\x${bytes.toString('hex')}`;
  if (!isUtf8(bytes)) throw fail('PGRST102', { reason: 'it is not UTF-8' });
  return bytes.toString('utf8');
}

type Done = (error: Error | null, body?: unknown) => void;

function finish(done: Done, read: () => unknown): void {
  let body: unknown;
  try {
    body = read();
  } catch (error) {
    done(error instanceof Error ? error : new Error('a body could not be read', { cause: error }));
    return;
  }
  done(null, body);
}
