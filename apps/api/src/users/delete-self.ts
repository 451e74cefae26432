import type { FastifyRequest } from 'fastify';

import { calledRoutes } from '#libs/auth-engine';
import { fail } from '#libs/errors';

import { forwardToEngine } from '../auth/index.js';
import type { RequestScope } from '../http/request-scope.js';

/**
 * Deletes the caller's account by the auth engine, which counts the request before it reads the body, and guesses of the
 * password; undefined when it is done, else the engine's refusal. Throws FORBIDDEN without a session: an API key or an
 * impersonation cannot delete its user this way.
 */
export async function deleteSelf(
  scope: RequestScope,
  request: FastifyRequest,
): Promise<Response | undefined> {
  const { credential } = scope;
  if (credential.kind !== 'session') throw fail('FORBIDDEN');
  const { method, path } = calledRoutes.deleteUser;
  const response = await forwardToEngine(scope, request, {
    method,
    path,
    // The hooks have checked cookie and origin; the engine only needs the session.
    headers: {
      authorization: `Bearer ${credential.token}`,
      cookie: undefined,
      origin: undefined,
      referer: undefined,
    },
  });
  return response.ok ? undefined : response;
}
