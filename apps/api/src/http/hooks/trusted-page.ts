import type { FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import { isAllowedOrigin } from '#libs/settings';

import { hostOf } from '../host.js';

/** Whether the request comes from a page of the project itself, or of the custom domain at which it arrived. */
export function isTrustedPage({ headers }: FastifyRequest, { rules }: ProjectRuntime): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  return (
    isAllowedOrigin(origin, rules.trustedOrigins) || origin === rules.ownOriginAt(hostOf(host))
  );
}
