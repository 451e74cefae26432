import type { FastifyRequest } from 'fastify';

import type { Lease, ProjectRuntime } from '#libs/project-runtime';
import { fail } from '#libs/errors';
import type { Caller, Credential } from '#libs/wire';

import type { RouteRule } from './access.js';
import type { ClientGone } from './client-gone.js';
import type { ShownCredential } from './credential.js';

/** What the hooks learn of a request before its controller runs. */
export interface RequestScope {
  readonly lease: Lease<ProjectRuntime>;
  /** Of the matched route. */
  readonly rule: RouteRule;
  /** What the headers show; nothing of it was counted or verified. */
  shown: ShownCredential;
  /** What the lookup is given: settled, once the hooks are done. */
  credential: Credential;
  /** Set by the guard on routes that are not public. */
  caller: Caller | undefined;
  /** Tells the request's work in the database when its client goes away. */
  readonly client: ClientGone;
  readonly startedAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    scope: RequestScope | undefined;
  }
}

/** The scope of a request to a project. The hooks set it on every route but the server's own. */
export function scopeOf(request: FastifyRequest): RequestScope {
  if (!request.scope) throw fail('PROJECT_NOT_FOUND');
  return request.scope;
}

/** The caller that the guard found. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = scopeOf(request);
  if (!caller) throw fail('UNAUTHORIZED');
  return caller;
}
