import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  AppError,
  fail,
  fromHttpFault,
  fromOutage,
  type RenderedError,
  renderError,
} from '#libs/errors';

/** An error as the caller sees it, and what the log is told besides. */
export interface ShownError {
  readonly rendered: RenderedError;
  /** What lies behind the error; never for the caller. */
  readonly cause: unknown;
  /** Method and route. The path itself is left out: a link of a mail has its token there. */
  readonly line: string;
}

/** The answer for whatever a route, a hook or the framework threw. */
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
  // A folder of files takes GET, and nothing has the name.
  if (methods.length === 0 || methods.includes(request.method)) return error;
  const headers = { allow: methods.join(', ') };
  return fail('METHOD_NOT_ALLOWED', { method: request.method }, { headers });
}

/** Sends the answer, unless one has been sent. `headers` are those of every answer: what fails early meets no hook. */
export function sendError(
  rendered: RenderedError,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
): void {
  if (reply.sent) return;
  reply.request.errorCode = rendered.body.code;
  // The type is set as text: a reply that was prepared for another type would refuse an object.
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
