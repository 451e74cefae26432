import { connect, type Socket } from 'node:net';

/** Returns the IP address to reach a mail server at. Rejects if the host must not be called. */
export type ResolveMailHost = (host: string, port: number) => Promise<string>;

/**
 * Connects to the address that `resolve` returns. The name is not looked up again, so the connection goes to the
 * address that was checked. Rejects like `resolve`, or with an error of the socket.
 */
export async function connectTo(
  { host, port }: { readonly host: string; readonly port: number },
  resolve: ResolveMailHost,
  timeoutMs: number,
): Promise<Socket> {
  const socket = connect({ host: await resolve(host, port), port });
  const late = Object.assign(new Error('the connection was not made in time'), {
    code: 'ETIMEDOUT',
  });
  const timer = setTimeout(() => socket.destroy(late), timeoutMs);
  return new Promise((done, refuse) => {
    socket.once('error', refuse);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', refuse);
      done(socket);
    });
  });
}
