import type { Server } from 'node:net';

/** Writes the port of a server for the parent, and ends this process when the parent goes. */
export function announce(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  process.once('disconnect', () => process.exit());
  process.send?.({ port: address.port });
}
