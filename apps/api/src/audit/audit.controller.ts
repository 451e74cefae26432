import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { AuditQuery } from './audit.dto.js';
import { type AuditPage, readAudit } from './read-audit.js';

/** What was changed inside a project, by whom. */
@ApiTags('admin')
@Controller(['api/admin/audit', 'admin/audit'])
export class AuditController {
  @Get()
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What administrators have changed, newest first' })
  list(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Query() query: AuditQuery,
  ): Promise<AuditPage> {
    return readAudit(project, caller, query);
  }
}
