import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { largeJson } from '#libs/web';
import { networkOf } from '#libs/wire';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { broadcast } from './broadcast.js';

/** Messages from programs that keep no socket open. Policies decide about visitors too, so the route is public. */
@ApiTags('realtime')
@Controller('api/realtime')
export class BroadcastController {
  @Post('broadcast')
  @HttpCode(202)
  @Access('public', { body: largeJson })
  @ApiOperation({ summary: 'Send messages to the clients that have joined topics' })
  send(@Req() request: FastifyRequest, @Body() body: unknown): Promise<void> {
    const { lease, credential } = scopeOf(request);
    return broadcast(lease.value, { credential, network: networkOf(request.ip) }, body);
  }
}
