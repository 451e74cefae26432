import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { ProjectUnderTest } from '../../support/project.js';
import { GatewaySockets } from './gateway-sockets.js';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** What stands in for the project's answer: an answer of the gateway itself, or a connection that breaks. */
export type Interference =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | { readonly kind: 'cut' };

/**
 * The way to a project, as a proxy in front of it is: an address that every resolver knows, from which requests
 * go on to the project's host. A test can look at what arrives and interfere with it.
 */
export interface Gateway {
  readonly url: string;
  /** All requests since the start, in their order. */
  readonly received: readonly Received[];
  /** Interferes with the next requests, one each, in place of passing them on. */
  interfere(...interferences: readonly Interference[]): void;
  /** Forgets interferences that no request has met. */
  stopInterfering(): void;
  /** WebSockets pass as they are. */
  readonly sockets: GatewaySockets;
  close(): Promise<void>;
}

export async function openGateway(project: ProjectUnderTest): Promise<Gateway> {
  const received: Received[] = [];
  const planned: Interference[] = [];
  const server = createServer((request, reply) => {
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers });
    const interference = planned.shift();
    if (!interference) passOn(project, request, reply);
    else if (interference.kind === 'cut') request.socket.destroy();
    else reply.writeHead(interference.status, interference.headers).end(interference.body);
  });
  const sockets = new GatewaySockets(project);
  server.on('upgrade', (request, socket: Socket, head) => sockets.pass(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    interfere: (...interferences) => void planned.push(...interferences),
    stopInterfering: () => void planned.splice(0),
    sockets,
    async close() {
      server.close();
      sockets.cut();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function passOn(project: ProjectUnderTest, request: IncomingMessage, reply: ServerResponse): void {
  const { hostname, port } = new URL(project.apiOrigin);
  const upstream = httpRequest(
    {
      hostname,
      port,
      agent: false,
      method: request.method,
      path: request.url,
      headers: { ...request.headers, host: project.host },
    },
    (response) => {
      reply.writeHead(response.statusCode ?? 502, response.statusMessage, response.headers);
      response.pipe(reply);
    },
  );
  upstream.on('error', () => reply.destroy());
  // Who goes away from the gateway goes away from the project.
  reply.on('close', () => upstream.destroy());
  request.pipe(upstream);
}
