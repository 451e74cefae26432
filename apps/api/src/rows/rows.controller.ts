import { Body, Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { JsonBytes } from '#libs/database';
import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { scopeOf } from '../http/request-scope.js';
import { changeRows, type ChangedRows } from './change-rows.js';
import { ChangeRowsBody } from './rows.dto.js';

/** Rows as the table editor changes them. */
@ApiTags('admin')
@Controller(['api/admin/rows', 'admin/rows'])
export class RowsController {
  @Post(':table')
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({
    summary: 'Change rows of a table in one transaction',
    description:
      'Runs as service_role. A row that does not have the values of `was` is a conflict: nothing ' +
      'is written, and `details.conflicts` of the error has the rows as they are now. A client that ' +
      'closes the request ends it.',
  })
  @ApiBody({ type: ChangeRowsBody })
  change(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('table') table: string,
    @Body() { changes }: ChangeRowsBody,
    @Req() request: FastifyRequest,
  ): Promise<JsonBytes<ChangedRows>> {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    const by = { caller, actor, client: scopeOf(request).client };
    return changeRows(project, by, { table, changes });
  }
}
