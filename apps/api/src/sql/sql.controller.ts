import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ScriptResult } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { RunSqlBody } from './sql.dto.js';

/** The SQL editor: runs as the owner of the project's schema. */
@ApiTags('admin')
@Controller(['api/admin/sql', 'admin/sql'])
export class SqlController {
  @Post()
  @HttpCode(200)
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({ summary: 'Run SQL as the owner of the project, in one transaction' })
  @ApiBody({ type: RunSqlBody })
  run(@Project() project: ProjectRuntime, @Body() body: RunSqlBody): Promise<ScriptResult> {
    return project.db.runScript(body.query, body.params);
  }
}
