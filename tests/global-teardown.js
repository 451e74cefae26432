import { once } from 'node:events';

/** Lets the throw-away cluster of global-setup.js end, and waits until it is gone. */
export default async function stopCluster() {
  const cluster = globalThis.testCluster;
  if (cluster === undefined || cluster.exitCode !== null) return;
  cluster.stdin.end();
  await once(cluster, 'exit');
}
