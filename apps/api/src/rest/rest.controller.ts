import { All, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '#libs/errors';
import { pauses, type ProjectRuntime } from '#libs/project-runtime';
import { compileBatch, readBody, type RestInput } from '#libs/rest-query';
import { inTurns } from '#libs/steps';
import type { Credential } from '#libs/wire';

import { Access } from '../http/access.js';
import { scopeOf } from '../http/request-scope.js';
import { batchText, functionInput, tableInput } from './rest-input.js';
import { type RestCall, runRequest } from './run-request.js';
import { batchWork, requestWork } from './work.js';

const rows = { area: 'rest', body: { kind: 'text', maxBytes: 'rows' } } as const;

/** Tables and functions of the project (spec: REST table routes, Batch writes, Database functions). */
@ApiExcludeController()
@Controller('rest/v1')
export class RestController {
  /** Comes before the table of this name, which a POST does not reach. */
  @Post('batch')
  @Access('public', rows)
  batch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const text = batchText(request);
    return answer(request, reply, async ({ catalog, compiler }, limits) =>
      batchWork(await inTurns(compileBatch(compiler, { catalog, limits }, text), pauses())),
    );
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

type Compile = RestCall['compile'];

// The body is read once, also when the request is compiled again for another catalog.
async function compilerOf(input: RestInput): Promise<Compile> {
  const body = await inTurns(readBody(input), pauses());
  return ({ catalog, compiler }, limits) =>
    requestWork(input, compiler.compile(catalog, limits, input, body));
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  compile: Compile,
): Promise<void> {
  const { lease, credential, client } = scopeOf(request);
  const call = { credential, client, compile };
  const { status, headers, body } = await runRequest(lease.value, call).catch((error: unknown) =>
    afterLookup(error, lease.value, credential),
  );
  reply.code(status).headers(headers).send(body);
}

const mayBeRefusal = new Set([401, 403, 404]);

/**
 * Throws the error of a request. A statement that fails takes the row of its lookup with it, so a session or a key
 * is looked up again: the answer must say that the request ran as `anon` because of it.
 */
async function afterLookup(
  error: unknown,
  project: ProjectRuntime,
  credential: Credential,
): Promise<never> {
  const isShown = credential.kind === 'session' || credential.kind === 'api-key';
  if (isShown && error instanceof AppError && mayBeRefusal.has(error.status)) {
    await project.db.resolveCaller(credential);
  }
  throw error;
}
