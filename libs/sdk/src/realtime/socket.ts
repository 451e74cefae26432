// The published client of Socket.IO, and no other file of it. Its types stay here: they need those of Node.js.
import { io } from 'socket.io-client';

import type { Ack } from './ports.js';

export interface Socket {
  readonly connected: boolean;
  auth: object;
  connect(): unknown;
  disconnect(): unknown;
  on(event: string, listener: (frame: never) => void): unknown;
  emit(event: string, frame: object): unknown;
  timeout(ms: number): {
    emit(event: string, frame: object, done: (error: Error | null, ack: Ack) => void): unknown;
  };
}

export interface SocketOptions {
  /** The address of the project, without a trailing slash. */
  readonly url: string;
  /** Sent where the runtime can: browsers open a WebSocket without headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Prepares a connection and does not open it. Nothing is repeated by itself, and nothing shared with another client. */
export function prepareSocket({ url, headers }: SocketOptions): Socket {
  const { origin, pathname } = new URL(url);
  return io(origin, {
    path: `${pathname.replace(/\/$/, '')}/ws`,
    transports: ['websocket'],
    extraHeaders: { ...headers },
    autoConnect: false,
    reconnection: false,
    forceNew: true,
  });
}
