import { All, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LongBody } from '#libs/database';
import { sendSlices } from '#libs/web';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { batchCompilerOf, type Compile, compilerOf } from './compile.js';
import { batchText, functionInput, tableInput } from './rest-input.js';
import { runRequest } from './run-request.js';

const rows = { area: 'rest', body: { kind: 'text', maxBytes: 'rows' } } as const;

/** Tables and functions of the project (spec: REST table routes, Batch writes, Database functions). */
@ApiExcludeController()
@Controller('rest/v1')
export class RestController {
  /** Comes before the table of this name, which a POST does not reach. */
  @Post('batch')
  @Access('public', rows)
  async batch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, batchCompilerOf(batchText(request)));
  }

  @All('rpc/:function')
  @Access('public', rows)
  async call(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, await compilerOf(functionInput(request)));
  }

  @All(':table')
  @Access('public', rows)
  async table(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, await compilerOf(tableInput(request)));
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  compile: Compile,
): Promise<void> {
  const { lease, credential, client } = scopeOf(request);
  const { status, headers, body } = await runRequest(lease.value, { credential, client, compile });
  if (!(body instanceof LongBody)) {
    reply.code(status).headers(headers).send(body);
    return;
  }
  await body.ready();
  sendSlices(reply.code(status).headers(headers), body);
}
