import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  AppError,
  fail,
  fromHttpFault,
  fromOutage,
  type RenderedError,
  renderError,
} from '#libs/errors';

/** An error as the caller sees it, with the data for the log. */
export interface ShownError {
  readonly rendered: RenderedError;
  /** The underlying error; never sent to the caller. */
  readonly cause: unknown;
  /** Method and route pattern. Not the path: the path of a mail link contains its token. */
  readonly line: string;
}

/** The answer for an error of a route, a hook or the framework. */
export function shownError(thrown: unknown, request: FastifyRequest): ShownError {
  const path = pathOf(request.url);
  const { method } = request;
  const contentType = request.headers['content-type'];
  const facts = { method, path, contentType, maxBodyBytes: request.routeOptions.bodyLimit };
  const error = withMethods(fromOutage(fromHttpFault(thrown, facts)), request);
  return {
    rendered: renderError(error, request.id),
    cause: error instanceof AppError ? (error.cause ?? error) : error,
    line: `${method} ${request.matched?.url ?? 'no route'}`,
  };
}

/** Replaces NOT_FOUND by METHOD_NOT_ALLOWED where the path has routes of other methods (RFC 9110 section 15.5.6). */
function withMethods(error: unknown, request: FastifyRequest): unknown {
  if (!request.is404 || !(error instanceof AppError) || error.code !== 'NOT_FOUND') return error;
  const methods = request.server.methodsAt(pathOf(request.url));
  // A GET route for the files of a folder exists, but no file has this name.
  if (methods.length === 0 || methods.includes(request.method)) return error;
  const headers = { allow: methods.join(', ') };
  return fail('METHOD_NOT_ALLOWED', { method: request.method }, { headers });
}

/**
 * Sends the answer unless one was already sent. `headers` are set on every answer, because no hook runs for early
 * failures.
 */
export function sendError(
  rendered: RenderedError,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): void {
  if (reply.sent) return;
  reply.request.errorCode = rendered.body.code;
  // The body is serialised here: a reply that was prepared for another type would refuse an object.
  void reply
    .code(rendered.status)
    .headers({ ...headers, ...rendered.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(rendered.body));
}

/** The path of a request without its query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
