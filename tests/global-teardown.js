import { once } from 'node:events';

/** Lets the servers of global-setup.js end, and waits until they are gone. */
export default async function stopServers() {
  await Promise.all(globalThis.testServers.map(stop));
}

async function stop(server) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.stdin.end();
  await once(server, 'exit');
}
