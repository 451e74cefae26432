// Closes connections whose client does not read its answer; such clients could otherwise make the server hold answers
// in memory. It checks the sockets periodically, so a request costs nothing.
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

export interface ReaderLimits {
  /** A client that reads no byte for this time is closed. */
  readonly stalledMs: number;
  /** The least speed at which a large answer must be read, averaged over `averageMs` in which bytes wait. */
  readonly minBytesPerSecond: number;
  readonly averageMs: number;
}

export interface ReaderWatch {
  /** Watches the connections to `server`. */
  observe(server: FastifyInstance): void;
  /** Connections closed so far. */
  readonly closed: number;
  close(): void;
}

const defaults: ReaderLimits = {
  stalledMs: 30_000,
  minBytesPerSecond: 32 * 1024,
  averageMs: 60_000,
};
const looksPerLimit = 6;
/** A larger answer that is held in memory must be read at the least speed. */
const largeBytes = 256 * 1024;

interface Waiting {
  taken: number;
  movedAt: number;
  /** The start of the current measurement, and the bytes that had been taken by then. */
  since: number;
  takenBefore: number;
}

/** The number of answers per socket that use memory outside of it; a client may send several requests at once. */
const slicedAnswers = new WeakMap<Socket, number>();

/** Requires the least speed on `socket` while its answer uses memory. The returned function ends the requirement. */
export function requireSpeed(socket: Socket): () => void {
  const change = (by: number): void => {
    slicedAnswers.set(socket, (slicedAnswers.get(socket) ?? 0) + by);
  };
  change(1);
  return () => change(-1);
}

/** Returns a watch that runs until it is closed. A process opens one for its applications. */
export function watchReaders(options: Partial<ReaderLimits> = {}): ReaderWatch {
  const limits = { ...defaults, ...options };
  const open = new Set<Socket>();
  const waiting = new Map<Socket, Waiting>();
  let closed = 0;
  const look = (): void => {
    const now = performance.now();
    for (const socket of open) {
      if (socket.writableLength === 0) waiting.delete(socket);
      else if (isTooSlow(socket, waiting, limits, now)) {
        closed += 1;
        socket.destroy();
      }
    }
  };
  const timer = setInterval(look, limits.stalledMs / looksPerLimit).unref();
  return {
    observe(server) {
      server.server.on('connection', (socket: Socket) => {
        open.add(socket);
        socket.once('close', () => {
          open.delete(socket);
          waiting.delete(socket);
        });
      });
    },
    get closed() {
      return closed;
    },
    close: () => clearInterval(timer),
  };
}

function isTooSlow(
  socket: Socket,
  waiting: Map<Socket, Waiting>,
  limits: ReaderLimits,
  now: number,
): boolean {
  const taken = takenBytes(socket);
  const before = waiting.get(socket);
  if (!before) {
    waiting.set(socket, { taken, movedAt: now, since: now, takenBefore: taken });
    return false;
  }
  if (taken !== before.taken) {
    before.taken = taken;
    before.movedAt = now;
  }
  if (now - before.movedAt >= limits.stalledMs) return true;
  if (!slicedAnswers.get(socket) && socket.writableLength < largeBytes) {
    // Only large answers must meet the speed: files wait on the disk.
    before.since = now;
    before.takenBefore = taken;
  }
  const ms = now - before.since;
  if (ms < limits.averageMs) return false;
  if (taken - before.takenBefore < (limits.minBytesPerSecond * ms) / 1_000) return true;
  before.since = now;
  before.takenBefore = taken;
  return false;
}

/**
 * Bytes that the kernel has accepted. A large Buffer is one write, and only the handle of the socket knows how much of
 * it was sent; Node's own socket timeouts use the same number.
 */
function takenBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return socket.bytesWritten;
  const written: unknown = Reflect.get(handle, 'bytesWritten');
  const queued: unknown = Reflect.get(handle, 'writeQueueSize');
  return typeof written === 'number' && typeof queued === 'number'
    ? written - queued
    : socket.bytesWritten;
}
