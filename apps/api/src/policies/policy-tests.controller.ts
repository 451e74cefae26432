import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Req,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { JsonBytes } from '#libs/database';
import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { type ApiDeps, apiDepsToken } from '../http/api-deps.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { ChangePolicyTestBody, CreatePolicyTestBody, RunPolicyTestsBody } from './policies.dto.js';
import { readChanges } from './policy-change.js';
import {
  changeTest,
  createTest,
  type PolicyTest,
  type PolicyTestList,
  readTests,
  removeTest,
} from './policy-tests.js';
import { runTests, type TestRun } from './run-tests.js';

/** Saved tests of policies. They have keys and values of rows. */
@ApiTags('admin')
@Controller(['api/admin/policies/tests', 'admin/policies/tests'])
export class PolicyTestsController {
  constructor(@Inject(apiDepsToken) private readonly deps: ApiDeps) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.write')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The saved tests of policies, by name' })
  list(@Project() project: ProjectRuntime): Promise<JsonBytes<PolicyTestList>> {
    return readTests(project);
  }

  @Post()
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({ summary: 'Save a try as a test' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: CreatePolicyTestBody,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<PolicyTest> {
    const actor = auditActor(caller, { ip, requestId });
    return createTest(project, { caller, actor }, body);
  }

  @Post('run')
  @HttpCode(200)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Run tests of policies, also with changes that are not saved' })
  run(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() { ids, policies }: RunPolicyTestsBody,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<TestRun> {
    const changes = readChanges(policies);
    const trying = { caller, actor: auditActor(caller, { ip, requestId }), now: this.deps.now };
    return runTests(project, trying, { ids, changes });
  }

  @Patch(':id')
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({ summary: 'Change a test' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() change: ChangePolicyTestBody,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<PolicyTest> {
    const actor = auditActor(caller, { ip, requestId });
    return changeTest(project, { caller, actor }, { id, change });
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Delete a test' })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<void> {
    return removeTest(project, auditActor(caller, { ip, requestId }), id);
  }
}
