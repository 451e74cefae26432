// How bodies are read: as the matched route declares it. Tables and functions get the text, which the database
// reads.
import { isUtf8 } from 'node:buffer';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { readBodies } from '#libs/web';

import { ruleOf } from './access.js';
import { scopeOf } from './request-scope.js';

const isBinary = /^application\/octet-stream/i;

export function readApiBodies(server: FastifyInstance): void {
  readBodies(server, {
    ruleOf: (request) => ruleOf(request).body,
    rows: { maxBytesOf: maxRowBytes, read: rowText },
  });
}

/** Known before the body is read: the hooks have found the project by its host. */
function maxRowBytes(request: FastifyRequest): number {
  return scopeOf(request).lease.value.settings.get('api.rest').maxBodyBytes;
}

/** Text as it came; bytes in PostgreSQL's text form of them. Throws PGRST102 for text that is not UTF-8. */
function rowText(bytes: Buffer, type: string): string {
  if (isBinary.test(type)) return `\\x${bytes.toString('hex')}`;
  if (!isUtf8(bytes)) throw fail('PGRST102', { reason: 'it is not UTF-8' });
  return bytes.toString('utf8');
}
