import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { scopeOf } from '../http/request-scope.js';
import { describeRest } from './describe-rest.js';
import { docsPage, pageHeaders, serverUrlFor } from './docs-page.js';
import { profileOf, sendDocument } from './exchange.js';

/**
 * The same description as a page. The page is public and requires a key or a sign-in; the document is for
 * administrators.
 */
@ApiTags('admin')
@Controller(['api/admin/rest/docs', 'admin/rest/docs'])
export class AdminRestDocsController {
  @Get()
  @Access('public', { projectKey: 'unneeded', area: 'admin' })
  @ApiOperation({
    summary: 'A page that describes the REST API and tries it out; it asks for a key',
  })
  page(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    reply.headers(pageHeaders).send(docsPage(project.record.name, request.url));
  }

  @Get('openapi.json')
  @Access('admin', 'content.read', { projectKey: 'unneeded' })
  @ApiOperation({ summary: 'The document of that page' })
  async document(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { credential, client } = scopeOf(request);
    const serverUrl = serverUrlFor(caller, project.baseUrl);
    const profile = profileOf(request);
    const document = await describeRest(project, { credential, client, profile, serverUrl });
    sendDocument(request, reply, document);
  }
}
