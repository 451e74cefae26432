import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendError, shownError } from '#libs/web';

/** The only filter: every error of the server is answered here, in one shape. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
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
  sendError(rendered, reply, { 'x-request-id': request.id });
}
