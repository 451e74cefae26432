// The first and the last hook of every request: the headers of each answer, and the end of the request's scope, whether
// it was answered or its client has disconnected.
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onResponseHookHandler,
  onSendHookHandler,
} from 'fastify';

import type { RecentRequest } from '#libs/project-runtime';
import { closeIfUnread, logRequest, requirePlainTarget } from '#libs/web';
import { isRefused } from '#libs/wire';

import { ruleOf } from '../access.js';
import type { RequestScope } from '../request-scope.js';
import { takeBytes } from '../socket-bytes.js';
import { asError } from './project-hook.js';

/** The status for requests whose client disconnected (nginx's convention). */
const clientGone = 499;

/** Sets the usual headers of the answer. Answers INVALID_REQUEST for an ambiguous target. */
export function begin(now: () => number): onRequestHookHandler {
  return (request, reply, done) => {
    // A client that disconnects ends the exchange without a response. The request's own events (Fastify's
    // onRequestAbort) are not emitted once its body was read.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      // Readers of events leave when they have read enough: that is no failure.
      endDisconnected(request, now(), isOfEvents(reply) ? reply.statusCode : clientGone);
    });
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    try {
      requirePlainTarget(request.url);
    } catch (error) {
      done(asError(error));
      return;
    }
    done();
  };
}

/** Whether the answer has begun, and is a stream of events. */
const isOfEvents = ({ raw }: FastifyReply): boolean =>
  raw.headersSent && String(raw.getHeader('content-type')).startsWith('text/event-stream');

/**
 * Completes the answer: releases a long body, which it may have to wait for its client without, and reports in a header
 * that the request ran as `anon` (RFC 6750 section 3.1; any answer may, RFC 9110 section 11.6.1).
 */
export const completeAnswer: onSendHookHandler = (request, reply, payload, done) => {
  const { scope } = request;
  if (scope?.heldBody) {
    request.body = undefined;
    scope.heldBody.release();
  }
  if (scope && isRefused(scope.credential) && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
  }
  done(null, payload);
};

/** Counts and logs the answered request, and releases the project. */
export function end(now: () => number): onResponseHookHandler {
  return (request, reply, done) => {
    if (request.scope) closeScope(request, reply.statusCode, now());
    else {
      takeBytes(request.raw.socket); // Of no project: the next request of the connection may have one.
      logServed(request, reply);
    }
    closeIfUnread(request);
    done();
  };
}

/** Ends a request whose client has disconnected. */
export function endDisconnected(request: FastifyRequest, now: number, status = clientGone): void {
  request.scope?.client.abort();
  closeScope(request, status, now);
}

function closeScope(request: FastifyRequest, status: number, now: number): void {
  const { scope } = request;
  if (!scope) return;
  request.scope = undefined;
  scope.client.end();
  const ms = now - scope.startedAt;
  const { record, traffic, recentRequests } = scope.lease.value;
  const { received, sent } = takeBytes(request.raw.socket);
  traffic.record({
    area: scope.rule.area,
    status,
    durationMs: ms,
    bytesReceived: received,
    bytesSent: sent,
    isOfOperator: scope.isOfOperator,
  });
  // Administration that succeeds is left out: what the console reads would push out the requests of apps.
  if (scope.rule.area !== 'admin' || status >= 400) {
    recentRequests.record(recentRequest(request, scope, { status, ms }));
  }
  logRequest(request, { project: record.ref, status, ms, requestId: request.id });
  scope.lease.release();
}

function recentRequest(
  { id, method, matched, errorCode }: FastifyRequest,
  { startedAt, client, credential, caller }: RequestScope,
  { status, ms }: { readonly status: number; readonly ms: number },
): Omit<RecentRequest, 'seq'> {
  return {
    requestId: id,
    startedAt,
    method,
    route: matched?.url ?? null,
    status,
    code: shortened(errorCode),
    ms,
    databaseMs: client.databaseMs ?? null,
    credential: credential.kind,
    userId: shortened(caller?.role === 'authenticated' ? caller.user.id : undefined),
  };
}

/** Codes that functions raise, and ids of other issuers, may have any length. */
const shortened = (text: string | undefined): string | null => text?.slice(0, 100) ?? null;

/** A request without a project: for a route of the server itself, or refused before it had a project. */
function logServed(request: FastifyRequest, reply: FastifyReply): void {
  const level = ruleOf(request).servedBy === 'server' ? 'debug' : 'info';
  const facts = { status: reply.statusCode, ms: reply.elapsedTime, requestId: request.id };
  logRequest(request, facts, level);
}
