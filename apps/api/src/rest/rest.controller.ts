import { All, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LongBody } from '#libs/database';
import { sendSlices } from '#libs/web';
import { restPath } from '#libs/wire';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { answerRequest } from './answer-request.js';
import type { RestText } from './input.js';
import { batchInput, functionInput, tableInput } from './rest-input.js';

const rows = { area: 'rest', body: { kind: 'text', maxBytes: 'rows' } } as const;

/**
 * Tables and functions of the project (spec: REST table routes, Batch writes, Database functions). The second path is
 * for operators: the console forwards to `/api/` alone.
 */
@ApiExcludeController()
@Controller([restPath, `/api${restPath}`])
export class RestController {
  /** Comes before the table of this name, which a POST does not reach. */
  @Post('batch')
  @Access('public', rows)
  async batch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, batchInput(request));
  }

  @All('rpc/:function')
  @Access('public', rows)
  async call(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, functionInput(request));
  }

  @All(':table')
  @Access('public', rows)
  async table(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, tableInput(request));
  }
}

async function answer(request: FastifyRequest, reply: FastifyReply, text: RestText): Promise<void> {
  const { lease, credential, client } = scopeOf(request);
  const call = { project: lease.value, credential, client };
  const { status, headers, body } = await answerRequest(call, text);
  if (!(body instanceof LongBody)) {
    reply.code(status).headers(headers).send(body);
    return;
  }
  await body.ready();
  sendSlices(reply.code(status).headers(headers), body);
}
