import type { FastifyRequest } from 'fastify';

/**
 * The fields of a request that the log contains besides its method, route and error code. None of them is a value of
 * the request.
 */
export interface RequestFacts {
  readonly project?: string | undefined;
  readonly operatorId?: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** Absent if the logger of the request adds it by itself. */
  readonly requestId?: string;
}

/**
 * Writes one line about a finished request: `info`, or `debug` for routes of the server itself, which supervisors call
 * every few seconds. The route is logged as its pattern; a request that matched none is logged without a route, because
 * its path could contain anything.
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

/** How long the rest of an unread body may take to arrive, in milliseconds. */
const unreadMs = 10_000;

/**
 * Closes the connection of an answered request whose body was not read, unless the rest arrives soon: otherwise a
 * sender could keep the connection open with a byte now and then. Node.js discards the bytes.
 */
export function closeIfUnread({ raw }: FastifyRequest, waitMs = unreadMs): void {
  const { socket } = raw;
  if (raw.complete || socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), waitMs).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop);
  socket.once('close', stop);
}
