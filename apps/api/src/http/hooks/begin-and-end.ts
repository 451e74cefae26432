// The first and the last hook of every request: the headers of each answer, and the end of the request's scope, whether
// it was answered or its client has disconnected.
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onResponseHookHandler,
  onSendHookHandler,
} from 'fastify';

import { closeIfUnread, logRequest, requirePlainTarget } from '#libs/web';
import { isRefused } from '#libs/wire';

import { ruleOf } from '../access.js';
import { asError } from './project-hook.js';

/** The status for requests whose client disconnected (nginx's convention). */
const clientGone = 499;

/** Sets the usual headers of the answer. Answers INVALID_REQUEST for an ambiguous target. */
export function begin(now: () => number): onRequestHookHandler {
  return (request, reply, done) => {
    // A client that disconnects ends the exchange without a response. The request's own events (Fastify's
    // onRequestAbort) are not emitted once its body was read.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) endDisconnected(request, now());
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

/** Reports in a header that the request ran as `anon` (RFC 6750 section 3.1; any answer may, RFC 9110 section 11.6.1). */
export const reportRefusedCredential: onSendHookHandler = (request, reply, payload, done) => {
  const { scope } = request;
  if (scope && isRefused(scope.credential) && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
  }
  done(null, payload);
};

/** Counts and logs the answered request, and releases the project. */
export function end(now: () => number): onResponseHookHandler {
  return (request, reply, done) => {
    if (request.scope) closeScope(request, reply.statusCode, now());
    else logServed(request, reply);
    closeIfUnread(request);
    done();
  };
}

/** Ends a request whose client has disconnected. */
export function endDisconnected(request: FastifyRequest, now: number): void {
  request.scope?.client.abort();
  closeScope(request, clientGone, now);
}

function closeScope(request: FastifyRequest, status: number, now: number): void {
  const { scope } = request;
  if (!scope) return;
  request.scope = undefined;
  scope.client.end();
  const ms = now - scope.startedAt;
  const { record, traffic } = scope.lease.value;
  traffic.record(scope.rule.area, status, ms);
  logRequest(request, { project: record.ref, status, ms, requestId: request.id });
  scope.lease.release();
}

/** A request without a project: for a route of the server itself, or refused before it had a project. */
function logServed(request: FastifyRequest, reply: FastifyReply): void {
  const level = ruleOf(request).servedBy === 'server' ? 'debug' : 'info';
  const facts = { status: reply.statusCode, ms: reply.elapsedTime, requestId: request.id };
  logRequest(request, facts, level);
}
