import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { streamedBody } from '#libs/web';
import { edgePath } from '#libs/wire';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { invokeFunction, sendAnswer } from './invoke-function.js';

/**
 * Calls of edge functions. The route is public because functions may be: who may call one is decided when it is found.
 * Providers of webhooks send no project key.
 */
@ApiExcludeController()
@Controller(edgePath)
export class InvokeController {
  @All('*')
  @Access('public', { body: streamedBody, area: 'functions', projectKey: 'unneeded' })
  async invoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await invokeFunction(scopeOf(request), request));
  }
}
