import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { systemErrorCode } from './postgres-server-error.js';

/** Below the range of ports for outgoing connections, so that a remembered port stays free. */
const firstPort = 15_000;
const lastPort = 29_999;

/** Returns `wanted` if it is free on 127.0.0.1, else any free port. */
export async function freePort(wanted?: number): Promise<number> {
  for (let port = wanted; ; port = randomInt(firstPort, lastPort + 1)) {
    if (port !== undefined && (await isFree(port))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const code = systemErrorCode(error);
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(false);
      else reject(error);
    });
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}
