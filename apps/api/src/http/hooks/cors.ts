import type { FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';

import { applyCors, type CorsHeaders } from '../cors.js';
import type { ProjectStep } from './project-hook.js';
import { isTrustedPage } from './trusted-page.js';

/**
 * CORS headers that override those of the project (today: of buckets with rules of their own). Synchronous if no
 * query is needed; undefined if the project's rules apply.
 */
export type FindOwnCors = (
  project: ProjectRuntime,
  request: FastifyRequest,
) => CorsHeaders | Promise<CorsHeaders | undefined> | undefined;

/** Answers preflights; other answers state which pages may read them. */
export function answerCors(findOwnCors: FindOwnCors): ProjectStep {
  return (request, reply, scope) => {
    const project = scope.lease.value;
    const apply = (own: CorsHeaders | undefined): void =>
      applyCors(request, reply, { isTrusted: isTrustedPage(request, project), own });
    const own = scope.rule.cors === 'bucket' ? findOwnCors(project, request) : undefined;
    if (!(own instanceof Promise)) return apply(own);
    return own.then((found) => {
      if (request.scope === scope) apply(found);
    });
  };
}
