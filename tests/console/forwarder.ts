import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { addressOf, urlThrough } from '../support/server-address.js';

/** A way to a database server that can be cut and mended. */
export interface Forwarder {
  /** The connection string that goes this way. */
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function startForwarder(databaseUrl: string): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(addressOf(databaseUrl));
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  // Not null or a text: the server listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: urlThrough(databaseUrl, port),
    async cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
    async mend() {
      server = await listen(port);
    },
  };
}
