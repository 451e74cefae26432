import { connect } from 'node:net';

/** One reply as it came over the socket. */
export interface RawReply {
  readonly status: number;
  readonly text: string;
}

/** Sends bytes that no HTTP client would send and reads until the server closes. */
export function sendRaw(origin: string, lines: readonly string[]): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1');
    socket.setTimeout(10_000, () => socket.destroy(new Error('the server did not close')));
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve({ status: Number(text.slice(9, 12)), text }));
    socket.write([...lines, '', ''].join('\r\n'));
  });
}
