import type { FastifyRequest } from 'fastify';

/** What the log says of a request besides its method, route and error code. No value of the request. */
export interface RequestFacts {
  readonly project?: string | undefined;
  readonly operatorId?: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** Absent where the logger of the request names it by itself. */
  readonly requestId?: string;
}

/**
 * Writes one line about a request that ended: `info`, or `debug` for routes of the server itself, which
 * supervisors call every few seconds. The route is named by its pattern; a request that matched none has none,
 * because its path could hold anything.
 */
export function logRequest(
  request: FastifyRequest,
  { project, operatorId, status, ms, requestId }: RequestFacts,
  level: 'info' | 'debug' = 'info',
): void {
  const { method, errorCode: code } = request;
  const route = request.matched?.url;
  request.log[level](
    { project, operatorId, method, route, status, code, ms: Math.round(ms), requestId },
    'request',
  );
}

/** Milliseconds for which a body that no route has read may still arrive. */
const unreadMs = 10_000;

/**
 * Closes the connection of an answered request whose body was not read, unless the rest arrives soon: otherwise a
 * sender could keep the connection open with one byte now and then. Node.js discards what arrives.
 */
export function closeIfUnread({ raw }: FastifyRequest, waitMs = unreadMs): void {
  const { socket } = raw;
  if (raw.complete || socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), waitMs).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop);
  socket.once('close', stop);
}
