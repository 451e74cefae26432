import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendClientFile } from '#libs/web';

import { Access } from '../http/access.js';
import { apiDepsToken, type ApiDeps } from '../http/api-deps.js';

/** The client for apps. It belongs to no project: every host serves it. */
@ApiTags('server')
@Controller()
export class ClientController {
  constructor(@Inject(apiDepsToken) private readonly deps: ApiDeps) {}

  @Get('client.tgz')
  @Access('public', { servedBy: 'server' })
  @ApiOperation({ summary: 'The client as a package that npm installs' })
  archive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendClientFile(request, reply, { client: this.deps.client, name: 'client.tgz' });
  }

  @Get('client.js')
  @Access('public', { servedBy: 'server' })
  @ApiOperation({ summary: 'The client as one ES module for pages' })
  script(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendClientFile(request, reply, { client: this.deps.client, name: 'client.js' });
  }

  @Get('client-channels.js')
  @Access('public', { servedBy: 'server' })
  @ApiOperation({ summary: 'What /client.js loads for channels' })
  channels(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendClientFile(request, reply, { client: this.deps.client, name: 'client-channels.js' });
  }
}
