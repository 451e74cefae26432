import type { IncomingMessage, ServerResponse } from 'node:http';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * The address of clients on this machine that are no clients of its user, such as edge functions: the dummy address of
 * RFC 7600. It is not of this machine, so what only this machine may read is closed to them.
 */
const localAddress = '192.0.0.8';

/** Returns what answers a request that came over no connection of the application's server. */
export function localServer(
  app: NestFastifyApplication,
): (request: IncomingMessage, response: ServerResponse) => void {
  const server = app.getHttpAdapter().getInstance();
  return (request, response) => {
    Object.defineProperty(request.socket, 'remoteAddress', {
      value: localAddress,
      configurable: true,
    });
    server.routing(request, response);
  };
}
