import { fail } from '#libs/errors';
import { consolePages, sendConsoleAsset, sendConsolePage } from '#libs/web';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';

/** The pages of the console (apps/console/web). Which page a document shows, its router reads from the address. */
@ApiExcludeController()
@Controller()
export class PagesController {
  constructor(private readonly deps: ConsoleDeps) {}

  /** Without a build of the pages, the documentation is shown at the start. */
  @Get()
  @Access({ kind: 'public' })
  start(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (this.deps.pages) this.page(request, reply);
    else reply.redirect('/docs', 302);
  }

  @Get([...consolePages])
  @Access({ kind: 'public' })
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { pages: files } = this.deps;
    if (!files) throw fail('NOT_FOUND', { path: request.url.split('?', 1)[0] ?? '' });
    sendConsolePage(request, reply, { files, base: '/', status: 200 });
  }

  @Get('assets/:name')
  @Access({ kind: 'public' })
  asset(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('name') name: string,
  ): void {
    const { pages: files } = this.deps;
    if (!files) throw fail('NOT_FOUND', { path: `/assets/${name}` });
    sendConsoleAsset(request, reply, { files, name });
  }
}
