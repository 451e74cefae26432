import { All, Controller, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import { streamedBody } from '#libs/web';
import { resumablePath } from '#libs/wire';

import { Access } from '../../http/access.js';
import { checkContentHeaders } from '../uploads/content-headers.js';
import { answeringEarly } from '../uploads/answer-early.js';
import { RunningUploads } from '../uploads/running-uploads.js';

const protocol = { 'tus-resumable': '1.0.0', 'tus-version': '1.0.0', 'cache-control': 'no-store' };
/** What clients that know POST alone may ask for instead. */
const overriding = new Set(['PATCH', 'DELETE', 'HEAD']);

const streamed = { body: streamedBody };

/** Uploads in parts, by TUS 1.0. Routes are public because uploads find out themselves who may write to them. */
@ApiExcludeController()
@Controller(resumablePath)
export class ResumableController {
  constructor(private readonly running: RunningUploads) {}

  @All()
  @Access('public', streamed)
  begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.exchange(request, reply);
  }

  @All(':id')
  @Access('public', streamed)
  goOn(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<void> {
    return this.exchange(request, reply, id);
  }

  private exchange(request: FastifyRequest, reply: FastifyReply, id?: string): Promise<void> {
    reply.headers(protocol);
    return answeringEarly(request, reply, async () => {
      checkContentHeaders(request.headers, reply);
      const { exchangeTus } = await import('./tus-exchange.js');
      const ending = this.running.endingResumable;
      const method = methodOf(request);
      const { status, headers } = await exchangeTus({
        request,
        path: resumablePath,
        method,
        id,
        ending,
      });
      reply.code(status).headers(headers).send();
    });
  }
}

/** Throws METHOD_NOT_ALLOWED (405). */
function methodOf({ method, headers }: FastifyRequest): string {
  const wanted = headers['x-http-method-override'];
  const isOverridden = method === 'POST' && typeof wanted === 'string' && overriding.has(wanted);
  if (isOverridden) return wanted;
  if (method !== 'OPTIONS' && method !== 'POST' && !overriding.has(method)) {
    throw fail('METHOD_NOT_ALLOWED', { method });
  }
  return method;
}
