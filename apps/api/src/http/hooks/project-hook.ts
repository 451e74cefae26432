// The common form of the hooks of a request to a project, and of their errors.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';

import { fromOutage } from '#libs/errors';

import type { RequestScope } from '../request-scope.js';

/**
 * A step of a request to a project, before its body is read. Returns a promise only if it has to wait, which is rare.
 * An error that it throws is the answer.
 */
export type ProjectStep = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: RequestScope,
) => void | Promise<void>;

/**
 * Returns the Fastify hook for a step. Requests without a project skip it; if the client disconnects while the step
 * waits, the request ends.
 */
export function projectHook(step: ProjectStep): onRequestHookHandler {
  return (request, reply, done) => {
    const { scope } = request;
    if (!scope) {
      done();
      return;
    }
    let waiting;
    try {
      waiting = step(request, reply, scope);
    } catch (error) {
      done(asError(error));
      return;
    }
    if (!waiting) {
      done();
      return;
    }
    waiting.then(
      () => {
        if (request.scope === scope) done();
      },
      (error: unknown) => done(asError(error)),
    );
  };
}

/** Returns the error that a hook passes to Fastify; an outage of the database has its own code. */
export function asError(thrown: unknown): Error {
  const error = fromOutage(thrown);
  return error instanceof Error
    ? error
    : new Error('a hook threw what is not an error', { cause: error });
}
