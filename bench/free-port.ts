import { createServer } from 'node:net';

/** A port of this machine that nothing listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((done, refuse) => {
    const probe = createServer();
    probe.once('error', refuse);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      probe.close(() => done(port));
    });
  });
}
