import { isNavigation, sendConsolePage, sendError, shownError } from '#libs/web';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleDeps } from './console-deps.js';

/** The only filter: every error of the console is answered here, in one shape. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly deps: ConsoleDeps) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { pages: files } = this.deps;
    // A person who has mistyped an address sees a page, and the way to those that exist.
    if (files && request.is404 && isNavigation(request) && !isOfAnotherMethod(request)) {
      sendConsolePage(request, reply, { files, base: '/', status: 404 });
      return;
    }
    answerError(thrown, request, reply);
  }
}

/** A path of the API that a browser cannot open: it takes no GET. */
function isOfAnotherMethod({ server, url }: FastifyRequest): boolean {
  return server.methodsAt(url.split('?', 1)[0] ?? '').length > 0;
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
