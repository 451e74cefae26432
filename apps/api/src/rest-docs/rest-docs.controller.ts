import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { restPath } from '#libs/wire';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { describeRest } from './describe-rest.js';
import { profileOf, sendDocument } from './exchange.js';

/** The description of the table and function routes, as far as the caller may use them. */
@ApiTags('rest')
@Controller(restPath)
export class RestDocsController {
  @Get()
  @Access('public', { area: 'rest' })
  @ApiOperation({ summary: 'The tables and functions that you may use, as an OpenAPI document' })
  async describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { lease, credential, client } = scopeOf(request);
    const project = lease.value;
    const serverUrl = new URL(restPath, project.baseUrl).href;
    const profile = profileOf(request);
    const document = await describeRest(project, { credential, client, profile, serverUrl });
    sendDocument(request, reply, document);
  }
}
