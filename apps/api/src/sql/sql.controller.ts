import { Body, Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { JsonBytes, ScriptResult } from '#libs/database';
import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { runSql } from './run-sql.js';
import { RunSqlBody } from './sql.dto.js';

/** A file of SQL may be the body as it is. */
const scriptBody = { ...largeJson, plain: { type: 'application/sql', field: 'query' } };

/** The SQL editor. */
@ApiTags('admin')
@Controller(['api/admin/sql', 'admin/sql'])
export class SqlController {
  @Post()
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.write', { body: scriptBody })
  @ApiOperation({
    summary: 'Run SQL in one transaction',
    description:
      'Runs as the owner of the project. For an operator without secrets.manage it runs as ' +
      'service_role, and takes statements on rows only.',
  })
  @ApiBody({ type: RunSqlBody })
  run(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() { query, params }: RunSqlBody,
    @Req() { ip, id: requestId }: FastifyRequest,
  ): Promise<JsonBytes<ScriptResult>> {
    const actor = auditActor(caller, { ip, requestId });
    return runSql(project, caller, { query, ...(params && { params }), actor });
  }
}
