// The first and the last hook of every request: what each answer has, and the end of the request's scope, whether
// it was answered or its client has left.
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

/** The status under which a request is counted whose client left (nginx's convention). */
const clientGone = 499;

/** Gives the answer its usual headers. Answers INVALID_REQUEST for a target that can be read in two ways. */
export function begin(now: () => number): onRequestHookHandler {
  return (request, reply, done) => {
    // A client that goes away ends the exchange without a response. The request's own events (Fastify's
    // onRequestAbort) are not emitted once its body was read.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) abandon(request, now());
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
export const tellRefusedCredential: onSendHookHandler = (request, reply, payload, done) => {
  const { scope } = request;
  if (scope && isRefused(scope.credential) && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
  }
  done(null, payload);
};

/** Counts and logs the answered request, and gives the project back. */
export function end(now: () => number): onResponseHookHandler {
  return (request, reply, done) => {
    if (request.scope) closeScope(request, reply.statusCode, now());
    else logServed(request, reply);
    closeIfUnread(request);
    done();
  };
}

/** Ends a request whose client has left. */
export function abandon(request: FastifyRequest, now: number): void {
  request.scope?.client.leave();
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

/** A request without a project: a route of the server itself, or one that was refused before it had one. */
function logServed(request: FastifyRequest, reply: FastifyReply): void {
  const level = ruleOf(request).servedBy === 'server' ? 'debug' : 'info';
  const facts = { status: reply.statusCode, ms: reply.elapsedTime, requestId: request.id };
  logRequest(request, facts, level);
}
