import type { Readable } from 'node:stream';

import { Body, Controller, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import { type Caller, continuesHeader } from '#libs/wire';

import { Access } from '../../http/access.js';
import { type ApiDeps, apiDepsToken } from '../../http/api-deps.js';
import { CurrentCaller, Project } from '../../http/decorators.js';
import { inspect } from './inspect.js';
import { InspectBody, SendAsBody } from './inspector.dto.js';
import { sendAs } from './send-as.js';

/** Channels as other callers see them. */
@ApiTags('admin')
@Controller(['api/admin/realtime', 'admin/realtime'])
export class InspectorController {
  constructor(@Inject(apiDepsToken) private readonly deps: ApiDeps) {}

  @Post('inspect')
  @HttpCode(200)
  @Access('admin', 'secrets.manage', { body: largeJson, mayContinue: true })
  @Header('cache-control', 'no-store, no-transform')
  @Header('content-type', 'text/event-stream')
  @Header('x-accel-buffering', 'no')
  @ApiOperation({
    summary: 'Join channels as other callers, and receive what they receive',
    description:
      'Each listener is a connection to channels with the rights of its `as`. What it is refused is an event of the ' +
      'stream. An operator who tracks presence needs content.write, too.',
  })
  async inspect(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: InspectBody,
    @Req() { ip, id: requestId }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const inspector = { caller, actor: auditActor(caller, { ip, requestId }), log: this.deps.log };
    const { stream, isContinued } = await inspect(project, inspector, body);
    if (isContinued) reply.header(continuesHeader, 'true');
    return stream;
  }

  @Post('send')
  @HttpCode(204)
  @Access('admin', 'secrets.manage', { body: largeJson })
  @ApiOperation({
    summary: 'Send a message to a channel as another caller',
    description:
      'Refused as it would be for that caller: in a private topic the policies of `realtime.messages` decide. ' +
      'Operators need content.write, too.',
  })
  send(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: SendAsBody,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<void> {
    return sendAs(project, { caller, actor: auditActor(caller, { ip, requestId }) }, body);
  }
}
