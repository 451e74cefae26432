// Requests whose end never comes.
import { connect } from 'node:net';

export interface HalfSent {
  /** Resolves to the milliseconds until the server closed the connection. */
  readonly closed: Promise<number>;
  /** Closes it from this side. */
  end(): void;
}

/** Opens a connection and sends `text` on it, and nothing more. */
export function sendText(origin: string, text: string): HalfSent {
  const startedAt = performance.now();
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  const closed = new Promise<number>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve(performance.now() - startedAt));
  });
  // The answer is read, so that the end of the connection is noticed.
  socket.resume();
  socket.write(text);
  return { closed, end: () => socket.destroy() };
}

/** Sends a request with the beginning of its body. `head` is its first lines, without those about the body. */
export function sendHalf(origin: string, head: string): HalfSent {
  const lines = `${head}\r\ncontent-type: application/json\r\ncontent-length: 60000`;
  return sendText(origin, `${lines}\r\n\r\n{"a":"`);
}
