import { Body, Controller, Delete, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { JsonBytes, ScriptResult, StatementAnswers } from '#libs/database';
import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { scopeOf } from '../http/request-scope.js';
import { cancelSql, runSql } from './run-sql.js';
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
      'service_role, and takes statements on rows only; so does a run as another role. A client ' +
      'that closes the request cancels the script.',
  })
  @ApiBody({ type: RunSqlBody })
  run(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: RunSqlBody,
    @Req() request: FastifyRequest,
  ): Promise<JsonBytes<ScriptResult | StatementAnswers>> {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    return runSql(project, { caller, actor, client: scopeOf(request).client }, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'content.write')
  @ApiOperation({
    summary: 'Cancel a script that you run',
    description:
      'Finds scripts in the process that answers. With several API processes, close the request ' +
      'of the script instead, which always reaches it.',
  })
  cancel(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): void {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    cancelSql(project, actor, id);
  }
}
