// Which requests become sockets. Node.js hands each request that asks for another protocol to one listener, without its
// body; those that ask for something else than ours are answered as if they had not asked (RFC 9110 section 7.8: an
// upgrade may be ignored).
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Where Socket.IO is served, with and without the slash that its client adds. */
const path = /^\/ws\/?(?:\?|$)/;

const replaced: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings']);

/** Hands requests for a WebSocket at `/ws` to `open`. */
export function serveUpgrades(
  server: Server,
  open: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isOurs =
      request.headers.upgrade?.toLowerCase() === 'websocket' && path.test(request.url ?? '');
    if (isOurs) {
      open(request, socket, head);
      return;
    }
    // The server reads the request once more, now with its body.
    socket.unshift(Buffer.concat([plainHead(request), head]));
    server.emit('connection', socket);
  });
}

/**
 * The head of a request as it was sent, without the wish for another protocol. The connection ends with the answer: what
 * watches connections must not learn of one connection again and again.
 */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!replaced.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  return Buffer.from([...lines, 'connection: close', '', ''].join('\r\n'), 'latin1');
}
