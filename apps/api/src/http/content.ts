// How bodies are read: as the matched route declares it. Tables and functions get the text, which the database
// reads.
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { createPause, inTurns } from '#libs/steps';
import { readBodies } from '#libs/web';

import { ruleOf } from './access.js';
import { scopeOf } from './request-scope.js';
import { rowText } from './row-text.js';

export function readApiBodies(server: FastifyInstance): void {
  readBodies(server, {
    ruleOf: (request) => ruleOf(request).body,
    rows: {
      maxBytesOf: maxRowBytes,
      read: (bytes, type) => inTurns(rowText(bytes, type), createPause()),
    },
  });
}

/** Known before the body is read: the hooks have found the project by its host. */
function maxRowBytes(request: FastifyRequest): number {
  return scopeOf(request).lease.value.settings.get('api.rest').maxBodyBytes;
}
