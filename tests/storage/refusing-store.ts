// A store that a test can make refuse requests, or answer them late: it passes all others on to a real one.
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { S3Server } from '../support/s3-server.js';

/** Resolves to the status of a refusal, or to undefined for a request that is passed on. */
export type Refuses = (request: IncomingMessage) => Promise<number | undefined>;

export interface RefusingStore {
  readonly endpoint: string;
  /** Decides about all requests from now on. */
  refuse(refuses: Refuses): void;
  close(): Promise<void>;
}

/** Opens the store before a server. Signatures hold: the host that they cover is passed on. */
export async function openRefusingStore(behind: S3Server): Promise<RefusingStore> {
  const { hostname, port } = new URL(behind.endpoint);
  let refuses: Refuses = async () => undefined;
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const answer = async (): Promise<void> => {
      const status = await refuses(request);
      if (status !== undefined) {
        request.resume();
        response.writeHead(status).end();
        return;
      }
      const passed = httpRequest({ hostname, port, method, path, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port of TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    refuse(decide) {
      refuses = decide;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
