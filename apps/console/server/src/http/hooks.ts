import type { FastifyInstance } from 'fastify';
import { pathOf } from '#libs/web';
import { securityHeaders } from './error.filter.js';

/** What happens to every request besides its route: security headers and one line in the log. */
export function installHooks(server: FastifyInstance): void {
  server.decorateRequest('operator', undefined);
  server.decorateRequest('capabilities', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(securityHeaders(request.id));
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    const isJson = typeof type === 'string' && type.startsWith('application/json');
    if (isJson && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        status: reply.statusCode,
        operatorId: request.operator?.operatorId,
        ms: Math.round(reply.elapsedTime),
      },
      `${request.method} ${pathOf(request.url)}`,
    );
    done();
  });
}
