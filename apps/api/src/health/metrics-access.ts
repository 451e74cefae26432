import { timingSafeEqual } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether the figures of all projects may be shown. With a token configured it must be sent as bearer;
 * without one only a process of this machine may ask, and not through a proxy.
 */
export function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const wanted = Buffer.from(`Bearer ${token}`);
    const given = Buffer.from(request.headers.authorization ?? '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  const host = request.headers.host?.replace(/:\d+$/, '') ?? '';
  return (
    loopbackAddresses.has(request.socket.remoteAddress ?? '') &&
    loopbackHosts.has(host) &&
    proxyHeaders.every((header) => request.headers[header] === undefined)
  );
}
