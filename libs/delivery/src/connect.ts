import { connect, type Socket } from 'node:net';

/** The IP address to reach a mail server at. Rejects for a host that may not be called. */
export type ResolveMailHost = (host: string, port: number) => Promise<string>;

/**
 * A connection to the address that `resolve` gives: the name is not looked up again, so that what was
 * checked is what is connected to. Rejects like `resolve`, or with an error of the socket.
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
