import type { FastifyReply, FastifyRequest } from 'fastify';

import { isAllowedOrigin } from '#libs/settings';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const allowedHeaders =
  'authorization, apikey, content-type, accept, prefer, range, range-unit, accept-profile, ' +
  'content-profile, x-client-info, x-captcha-response, x-service-impersonate, x-mfa-token, ' +
  'x-trust-token, x-challenge-token, x-rowhouse-flow, x-code-challenge, x-request-id, x-retry-count';
const exposedHeaders =
  'content-range, range-unit, preference-applied, location, retry-after, set-auth-token, ' +
  'x-mfa-token, x-trust-token, x-challenge-token, x-request-id';
const preflightSeconds = '600';

/** Which pages may call a project. */
export interface CorsRules {
  /** May read answers and send cookies. */
  readonly trustedOrigins: readonly string[];
  /** Whether pages of any other origin may read answers too, without cookies. */
  readonly isOpen: boolean;
}

/**
 * Answers for pages of other origins (Fetch standard, CORS protocol). Returns true when the request was a
 * preflight and is answered.
 */
export function applyCors(request: FastifyRequest, reply: FastifyReply, rules: CorsRules): boolean {
  const { origin } = request.headers;
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (origin !== undefined) allowOrigin(origin, reply, rules);
  if (!isPreflight) return false;
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': allowedMethods,
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': preflightSeconds,
    })
    .send();
  return true;
}

function allowOrigin(origin: string, reply: FastifyReply, rules: CorsRules): void {
  reply.header('vary', 'Origin');
  const isTrusted = isAllowedOrigin(origin, rules.trustedOrigins);
  if (!isTrusted && !rules.isOpen) return;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', exposedHeaders);
  if (isTrusted) reply.header('access-control-allow-credentials', 'true');
}
