import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendClientFile } from '#libs/web';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';

/** The client for apps, as the API hands it out too. */
@ApiTags('server')
@Controller()
export class ClientController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get('client.tgz')
  @Access({ kind: 'public' })
  archive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendClientFile(request, reply, { client: this.deps.client, name: 'client.tgz' });
  }

  @Get('client.js')
  @Access({ kind: 'public' })
  script(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendClientFile(request, reply, { client: this.deps.client, name: 'client.js' });
  }

  @Get('client-channels.js')
  @Access({ kind: 'public' })
  channels(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendClientFile(request, reply, { client: this.deps.client, name: 'client-channels.js' });
  }
}
