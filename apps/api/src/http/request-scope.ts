import type { FastifyRequest } from 'fastify';

import type { Lease, ProjectRuntime } from '#libs/project-runtime';
import { fail } from '#libs/errors';
import type { BodyBudget, HeldBody } from '#libs/web';
import type { Caller, Credential } from '#libs/wire';

import type { RouteRule } from './access.js';
import type { ClientGone } from './client-gone.js';
import type { ShownCredential } from './credential.js';

/** The results of the hooks for a request, before its controller runs. */
export interface RequestScope {
  readonly lease: Lease<ProjectRuntime>;
  /** Of the matched route. */
  readonly rule: RouteRule;
  /** Counts the long bodies of the process. */
  readonly bodies: BodyBudget;
  /** The count of the request's own body, if it is a long one. */
  heldBody: HeldBody | undefined;
  /** Whether the console asserts an operator, who may act as a user or a visitor. False until it is verified. */
  isOfOperator: boolean;
  /** The credential as the headers state it, not counted or verified yet. */
  shown: ShownCredential;
  /** The credential for the database lookup, final once the hooks are done. */
  credential: Credential;
  /** Set by the guard on routes that are not public. */
  caller: Caller | undefined;
  /** Cancels the request's work in the database when the client disconnects. */
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
