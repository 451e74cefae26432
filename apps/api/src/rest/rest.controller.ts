import { All, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { compileBatch, type RestInput } from '#libs/rest-query';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { batchText, functionInput, tableInput } from './rest-input.js';
import { type RestCall, runRequest } from './run-request.js';
import { batchWork, requestWork } from './work.js';

/** Tables and functions of the project (spec: REST table routes, Batch writes, Database functions). */
@ApiExcludeController()
@Controller('rest/v1')
export class RestController {
  /** Comes before the table of this name, which a POST does not reach. */
  @Post('batch')
  @Access('public')
  batch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const text = batchText(request);
    return answer(request, reply, ({ catalog, compiler }, limits) =>
      batchWork(compileBatch(compiler, { catalog, limits }, text)),
    );
  }

  @All('rpc/:function')
  @Access('public')
  call(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, compilerOf(functionInput(request)));
  }

  @All(':table')
  @Access('public')
  table(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return answer(request, reply, compilerOf(tableInput(request)));
  }
}

type Compile = RestCall['compile'];

function compilerOf(input: RestInput): Compile {
  return ({ catalog, compiler }, limits) =>
    requestWork(input, compiler.compile(catalog, limits, input));
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  compile: Compile,
): Promise<void> {
  const { lease, credential, client } = scopeOf(request);
  const { status, headers, body } = await runRequest(lease.value, { credential, client, compile });
  reply.code(status).headers(headers).send(body);
}
