import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { forwardToEngine, relay } from './ask-engine.js';

/** Every route of the auth engine (spec: Auth engine routes). */
@ApiExcludeController()
@Controller('api/auth')
export class AuthController {
  @All('*')
  @Access('public')
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await relay(await forwardToEngine(scopeOf(request), request), reply);
  }
}
