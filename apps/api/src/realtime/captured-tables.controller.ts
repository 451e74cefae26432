import { Body, Controller, Get, Header, Param, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { CapturedTableBody } from './captured-tables.dto.js';
import type { CapturedTable } from './captured-tables.sql.js';
import { readTables, setTable } from './captured-tables.js';

/** The tables whose changes clients can listen to. */
@ApiTags('admin')
@Controller(['api/admin/realtime/tables', 'admin/realtime/tables'])
export class CapturedTablesController {
  @Get()
  @Access('admin', 'settings.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The tables, and whether clients can listen to their changes' })
  list(@Project() project: ProjectRuntime): Promise<readonly CapturedTable[]> {
    return readTables(project);
  }

  @Put(':table')
  @Access('admin', 'settings.manage')
  @ApiOperation({ summary: 'Let clients listen to changes of a table, or not' })
  set(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('table') table: string,
    @Body() { enabled }: CapturedTableBody,
    @Req() request: FastifyRequest,
  ): Promise<CapturedTable> {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    return setTable(project, actor, { table, enabled });
  }
}
