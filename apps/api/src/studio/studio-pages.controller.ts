import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';
import {
  type ConsoleFiles,
  projectScreens,
  sendConsoleAsset,
  sendConsolePage,
  studioBase,
} from '#libs/web';

import { Access } from '../http/access.js';
import { apiDepsToken, type ApiDeps } from '../http/api-deps.js';

const ofServer = { servedBy: 'server' } as const;

/**
 * The pages of the studio (apps/console/web): the console of one project, for its administrators. The document and its
 * files are the same on every host and say nothing of a project, so they open none. Everything that the pages show
 * comes from routes with rules of their own.
 */
@ApiExcludeController()
@Controller('studio')
export class StudioPagesController {
  constructor(@Inject(apiDepsToken) private readonly deps: ApiDeps) {}

  @Get(['', 'sign-in', 'account', ...projectScreens])
  @Access('public', ofServer)
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const files = this.filesFor(request);
    sendConsolePage(request, reply, { files, base: studioBase, status: 200 });
  }

  @Get('assets/:name')
  @Access('public', ofServer)
  asset(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('name') name: string,
  ): void {
    sendConsoleAsset(request, reply, { files: this.filesFor(request), name });
  }

  private filesFor({ url }: FastifyRequest): ConsoleFiles {
    const { pages } = this.deps;
    if (!pages) throw fail('NOT_FOUND', { path: url.split('?', 1)[0] ?? '' });
    return pages;
  }
}
