import type { Server } from 'node:net';

/** Tells the parent on which port a server listens, and ends this process when the parent goes. */
export function announce(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  process.once('disconnect', () => process.exit());
  process.send?.({ port: address.port });
}
