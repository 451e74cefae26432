import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { tableInput } from './table-input.js';
import { runTable } from './run-table.js';

/** The tables of the project (spec: REST table routes). */
@ApiExcludeController()
@Controller('rest/v1')
export class RestController {
  @All(':table')
  @Access('public')
  async table(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const scope = scopeOf(request);
    const input = tableInput(request);
    const { credential, client } = scope;
    const answer = await runTable(scope.lease.value, { credential, input, client });
    reply.code(answer.status).headers(answer.headers).send(answer.body);
  }
}
