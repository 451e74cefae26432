import { sendError, shownError } from '#libs/web';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The only filter: every error of the console is answered here, in one shape. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Answers with the error, and logs what the caller must not see. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { rendered, cause, line } = shownError(thrown, request);
  const { status } = rendered;
  if (status >= 500) request.log.error({ status, err: cause }, `${line} failed`);
  sendError(rendered, reply, { ...securityHeaders(request.id), 'cache-control': 'no-store' });
}

/** On every answer. */
export const securityHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
});
