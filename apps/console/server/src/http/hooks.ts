import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '#libs/errors';
import { createMemoryLimiter } from '#libs/rate-limit';
import { closeIfUnread, logRequest, requirePlainTarget } from '#libs/web';
import { networkOf } from '#libs/wire';
import { ruleOf } from './access.js';
import { securityHeaders } from './error.filter.js';

/** Hooks of every request besides its route: security headers, limits of public routes, one line in the log. */
export function installHooks(server: FastifyInstance): void {
  server.decorateRequest('operator', undefined);
  server.decorateRequest('capabilities', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(securityHeaders(request.id));
    try {
      requirePlainTarget(request.url);
    } catch (error) {
      done(error instanceof Error ? error : new Error('the target was refused', { cause: error }));
      return;
    }
    done();
  });
  server.addHook('onRequest', countVisits());
  server.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    const isJson = typeof type === 'string' && type.startsWith('application/json');
    if (isJson && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    const { operatorId } = request.operator ?? {};
    const level = ruleOf(request).isProbe ? 'debug' : 'info';
    logRequest(request, { operatorId, status, ms }, level);
    closeIfUnread(request);
    done();
  });
}

/** Counts the requests to public routes with a limit, for each route and network. Throws RATE_LIMITED. */
function countVisits(): (request: FastifyRequest) => Promise<void> {
  const limiter = createMemoryLimiter(() => performance.now());
  return async (request) => {
    const { access, visitsPerMinute } = ruleOf(request);
    if (access.kind !== 'public' || visitsPerMinute === undefined) return;
    const key = `${request.method} ${request.matched?.url ?? ''} ${networkOf(request.ip)}`;
    const use = { key, rule: { windowSeconds: 60, max: visitsPerMinute } };
    const { allowed, retryAfterSeconds } = await limiter.consume([use]);
    if (!allowed) throw fail('RATE_LIMITED', {}, { retryAfterSeconds });
  };
}
