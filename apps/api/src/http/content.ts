// How bodies are read: as the matched route declares it. Tables and functions get the bytes of the text, which
// the database reads.
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { createPause, inTurns } from '#libs/steps';
import { type FindCaller, type HeldBody, readBodies } from '#libs/web';

import { ruleOf } from './access.js';
import { type RequestScope, scopeOf } from './request-scope.js';
import { rowBytes } from './row-bytes.js';

export function readApiBodies(server: FastifyInstance): void {
  readBodies(server, {
    ruleOf: (request) => ruleOf(request).body,
    rows: {
      maxBytesOf: maxRowBytes,
      read: (bytes, type) => inTurns(rowBytes(bytes, type), createPause()),
    },
    hold: ({ scope }) => scope && holdBody(scope),
  });
}

/** Begins to count a long body of a request, until its answer is ready or the request ends. */
export function holdBody(scope: RequestScope): HeldBody {
  const project = scope.lease.value;
  const held = scope.bodies.hold(project.heldBodies, findCallerOf(scope));
  scope.heldBody = held;
  scope.client.onEnd(() => held.release());
  return held;
}

/**
 * The lookup of a caller; undefined if the hooks have proved the credential. Anybody can invent a token; the lookup runs
 * only when strangers have no room.
 */
function findCallerOf({ credential, lease }: RequestScope): FindCaller | undefined {
  switch (credential.kind) {
    case 'none':
      return () => Promise.resolve(false);
    case 'session':
    case 'api-key':
      return async () => (await lease.value.db.resolveCaller(credential)).caller.role !== 'anon';
    case 'third-party':
    case 'secret-key':
    case 'operator':
    case 'impersonated-user':
    case 'impersonated-anon':
      return undefined;
  }
}

/** Known before the body is read: the hooks have found the project by its host. */
function maxRowBytes(request: FastifyRequest): number {
  return scopeOf(request).lease.value.settings.get('api.rest').maxBodyBytes;
}
