// The published Socket.IO client, as an app without our client uses it.
import { io, type Socket } from 'socket.io-client';

import type { ProjectUnderTest } from '../support/project.js';

export interface RealtimeClient {
  readonly socket: Socket;
  /** Sends a frame and returns its acknowledgement. Throws after ten seconds. */
  ask(event: string, frame: object): Promise<Record<string, unknown>>;
  /** The payloads of the frames that have arrived, by event. */
  frames(event: string): readonly Record<string, unknown>[];
  /** The same as the text on the wire. */
  texts(event: string): readonly string[];
  close(): void;
}

const ackMs = 10_000;

/** Connects; rejects with `data` of the connection error. */
export async function openClient(
  { apiOrigin, host }: ProjectUnderTest,
  auth: Record<string, unknown> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<RealtimeClient> {
  const socket = io(apiOrigin, {
    path: '/ws',
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { v: 1, ...auth },
    extraHeaders: { host, ...headers },
  });
  const received: { readonly event: string; readonly frame: Record<string, unknown> }[] = [];
  const texts: string[] = [];
  socket.onAny((event: string, frame: Record<string, unknown>) => received.push({ event, frame }));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', (error: Error & { data?: unknown }) =>
      reject(Object.assign(new Error(error.message), { data: error.data })),
    );
  });
  socket.io.engine.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
    if (type === 'message' && typeof data === 'string') texts.push(data);
  });
  return {
    socket,
    ask: (event, frame) => socket.timeout(ackMs).emitWithAck(event, frame),
    frames: (event) => received.filter((one) => one.event === event).map(({ frame }) => frame),
    texts: (event) => texts.filter((text) => text.startsWith(`2["${event}"`)),
    close: () => socket.disconnect(),
  };
}
