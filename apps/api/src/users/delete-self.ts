import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { callEngine } from '../auth/index.js';
import type { RequestScope } from '../http/request-scope.js';

/**
 * Deletes the caller's account by the auth engine, which counts guesses of the password; undefined when it is
 * done, else the engine's refusal. Throws FORBIDDEN without a session: an API key or an
 * impersonation cannot delete its user this way.
 */
export async function deleteSelf(
  scope: RequestScope,
  request: FastifyRequest,
  password: string | undefined,
): Promise<Response | undefined> {
  const { credential } = scope;
  if (credential.kind !== 'session') throw fail('FORBIDDEN');
  const response = await callEngine(scope, request, {
    method: 'POST',
    path: '/api/auth/delete-user',
    body: password === undefined ? {} : { password },
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
