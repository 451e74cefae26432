// PostgreSQL behind a proxy that can lose the answer to a statement: the server has done it, and its client is cut off.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { addressOf, urlThrough } from '../support/server-address.js';
import { testDatabaseUrl } from '../support/deployment.js';

export interface LossyDatabase {
  /** The connection string of the superuser, through the proxy. */
  readonly url: string;
  /** How many answers were lost. */
  readonly lost: number;
  /** Loses the answer to the next statement whose text has `name`. The text is sent when it is prepared. */
  loseAnswerTo(name: string): void;
  close(): Promise<void>;
}

export async function openLossyDatabase(): Promise<LossyDatabase> {
  const open = new Set<Socket>();
  let awaited: string | undefined;
  let lost = 0;
  const proxy = createServer((client) => {
    const server = connect(addressOf(testDatabaseUrl()));
    let isLosing = false;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(socket);
      socket.on('error', end);
      socket.on('close', () => open.delete(socket));
      socket.on('end', () => other.end());
    }
    client.on('data', (sent) => {
      if (awaited !== undefined && sent.includes(awaited)) {
        awaited = undefined;
        isLosing = true;
      }
      server.write(sent);
    });
    server.on('data', (answer) => {
      if (!isLosing) return void client.write(answer);
      lost += 1;
      end();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port of TCP has an address with a port.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: urlThrough(testDatabaseUrl(), port),
    get lost() {
      return lost;
    },
    loseAnswerTo(name) {
      awaited = name;
    },
    async close() {
      open.forEach((socket) => socket.destroy());
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
