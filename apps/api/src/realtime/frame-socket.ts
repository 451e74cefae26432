// A Socket.IO connection as the hub sees it. A frame is encoded once for all its receivers, as the adapter of Socket.IO
// does for a room, and its payload stays the text that PostgreSQL wrote.
import type { Socket } from 'socket.io';

import { Frame, type RealtimeSocket } from '#libs/realtime';

/** A client for which more waits is disconnected at once, whatever it waits for: answers count like frames. */
const mostWaiting = 8 * 1024 * 1024;
/** A client that does not read is not waited for any longer than this after the reason was sent; milliseconds. */
const closeTimeoutMs = 1_000;

/** What the hub knows of a client besides its credential. */
type ClientFacts = Required<Pick<RealtimeSocket, 'projectKeys' | 'network'>>;

export function frameSocket(socket: Socket, facts: ClientFacts): RealtimeSocket {
  const { conn } = socket;
  const connection = socket.request.socket;
  const waiting = countWaiting(socket);
  const send = (frame: Frame): void => {
    frame.encoded ??= webSocketFrame(`4${packetOf(frame)}`);
    // Behind what waits in Engine.IO. Its queue and its events cost as much as the write, so an empty one is passed by.
    if (waiting.bytes > 0) conn.write(packetOf(frame), preEncoded(frame.encoded));
    else if (conn.readyState === 'open' && connection.writable) connection.write(frame.encoded);
  };
  return {
    id: socket.id,
    ...facts,
    get bufferedBytes() {
      return connection.writableLength + waiting.bytes;
    },
    send,
    close(reason) {
      const { code, message, retryAfterSeconds } = reason;
      send(
        Frame.of('rt:system', {
          status: 'closed',
          code,
          message,
          ...(retryAfterSeconds !== undefined && { retryAfterMs: spreadOut(retryAfterSeconds) }),
        }),
      );
      // What was written goes out first.
      setImmediate(() => socket.disconnect(true));
      setTimeout(() => conn.close(true), closeTimeoutMs).unref();
    },
  };
}

/** An event of Socket.IO (type 2), for a message of Engine.IO (type 4), which adds its type itself. */
function packetOf({ event, json }: Frame): string {
  return `2["${event}",${json}]`;
}

/** The option of Engine.IO for packets that are encoded already, which it does not declare. */
function preEncoded(frame: Uint8Array): object {
  return { wsPreEncodedFrame: [frame] };
}

/**
 * Counts the bytes that Engine.IO keeps for a socket until the system has taken what was written before. The
 * connection does not count them.
 */
function countWaiting({ conn }: Socket): { readonly bytes: number } {
  const waiting = { bytes: 0 };
  conn.on('packetCreate', ({ data }: { readonly data?: unknown }) => {
    if (typeof data === 'string') waiting.bytes += data.length;
    if (waiting.bytes > mostWaiting) conn.close(true);
  });
  conn.on('flush', () => (waiting.bytes = 0));
  return waiting;
}

/** So that the clients of a process do not all come back at the same moment; milliseconds. */
const spreadMs = 5_000;

function spreadOut(seconds: number): number {
  return Math.round(seconds * 1000 + Math.random() * spreadMs);
}

/**
 * Header and bytes of a text frame that is not masked (RFC 6455 section 5.2), as one piece: two would be two writes of
 * each socket.
 */
function webSocketFrame(text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = 0x81;
  if (headerLength === 2) frame[1] = length;
  else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerLength);
  return frame;
}
