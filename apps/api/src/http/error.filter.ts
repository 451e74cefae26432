import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { RenderedError } from '#libs/errors';
import {
  type ConsoleFiles,
  isNavigation,
  sendConsolePage,
  sendError,
  shownError,
  studioBase,
} from '#libs/web';

import { ruleOf } from './access.js';

/** The only filter: every error of the server is answered here, in one shape. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  /** `pages`: those of the studio, if it is served. */
  constructor(private readonly pages: ConsoleFiles | undefined) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const isBelowStudio = request.is404 && request.url.startsWith(studioBase);
    // A person who has mistyped an address of the studio sees a page, and the way to those that exist.
    if (this.pages && isBelowStudio && isNavigation(request)) {
      sendConsolePage(request, reply, { files: this.pages, base: studioBase, status: 404 });
      return;
    }
    answerError(thrown, request, reply);
  }
}

/** Answers with the error and logs what the caller must not see. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { rendered, cause, line } = shownError(thrown, request);
  const { status } = rendered;
  const project = request.scope?.lease.value.record.ref;
  const facts = { requestId: request.id, status, project, err: cause };
  if (status >= 500) request.log.error(facts, line);
  else request.log.debug(facts, line);
  const answer = ruleOf(request).isHealth ? withHealth(rendered) : rendered;
  sendError(answer, reply, { 'x-request-id': request.id });
}

/** The error of a project that could not be opened, with the field of the health document that says why. */
function withHealth(rendered: RenderedError): RenderedError {
  if (rendered.body.code !== 'DATABASE_UNAVAILABLE') return rendered;
  const health = { db: 'disconnected' };
  return { ...rendered, body: { ...rendered.body, ...health } };
}
