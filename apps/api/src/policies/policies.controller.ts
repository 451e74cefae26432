import { Body, Controller, Get, Header, HttpCode, Inject, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { JsonBytes } from '#libs/database';
import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { type ApiDeps, apiDepsToken } from '../http/api-deps.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { listPolicies, type PolicyList } from './list-policies.js';
import { ListPoliciesQuery, TryPoliciesBody } from './policies.dto.js';
import { tryPolicies } from './try-policies.js';
import { readTry } from './try-request.js';
import type { TryResult } from './try-result.js';

/** Policies of tables, and the lab that tries them. */
@ApiTags('admin')
@Controller(['api/admin/policies', 'admin/policies'])
export class PoliciesController {
  constructor(@Inject(apiDepsToken) private readonly deps: ApiDeps) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The tables with their policies, rights and columns' })
  list(
    @Project() project: ProjectRuntime,
    @Query() { schema }: ListPoliciesQuery,
  ): Promise<JsonBytes<PolicyList>> {
    return listPolicies(project, schema);
  }

  @Post('try')
  @HttpCode(200)
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({
    summary: 'Try a request as a caller, and see which policies decide',
    description:
      'Runs through the code of the API in a transaction that is rolled back, for 5 seconds at the most. ' +
      'Values of sequences are used up, as by any transaction that is rolled back.',
  })
  try(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: TryPoliciesBody,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<TryResult> {
    const asked = readTry(body);
    const actor = auditActor(caller, { ip, requestId });
    return tryPolicies(project, { caller, actor, now: this.deps.now }, asked);
  }
}
