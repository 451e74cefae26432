// What the hooks of a request to a project share: the form in which they are written, and what they throw.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';

import { fromOutage } from '#libs/errors';

import type { RequestScope } from '../request-scope.js';

/**
 * A step of a request to a project, before its body is read. Returns a promise only when it has to wait, which few
 * requests do. What it throws is the answer.
 */
export type ProjectStep = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: RequestScope,
) => void | Promise<void>;

/**
 * The hook of Fastify that takes the step. Requests without a project pass it by; a request whose client has left
 * while the step waited goes no further.
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

/** What a hook hands to Fastify; an outage of the database by its own code. */
export function asError(thrown: unknown): Error {
  const error = fromOutage(thrown);
  return error instanceof Error
    ? error
    : new Error('a hook threw what is not an error', { cause: error });
}
