// The bytes of each request. A connection counts them since it was opened, and carries one request after the other.
import type { Socket } from 'node:net';

interface Counted {
  read: number;
  written: number;
}

const countedBySocket = new WeakMap<Socket, Counted>();

/** What the connection has received and sent since the last call. */
export function takeBytes(socket: Socket): { readonly received: number; readonly sent: number } {
  const { bytesRead, bytesWritten } = socket;
  const counted = countedBySocket.get(socket);
  if (!counted) {
    countedBySocket.set(socket, { read: bytesRead, written: bytesWritten });
    return { received: bytesRead, sent: bytesWritten };
  }
  const received = bytesRead - counted.read;
  const sent = bytesWritten - counted.written;
  counted.read = bytesRead;
  counted.written = bytesWritten;
  return { received, sent };
}
