import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { auditActor, type ProjectRuntime, type RestoredSettings } from '#libs/project-runtime';
import { type Caller, settingsPath } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { HistoryQuery, RestoreBody } from './history.dto.js';
import { type HistoryPage, readHistory, restoreVersion } from './history.js';

/** Like all routes below the settings: a CAPTCHA that was turned on by mistake must not guard the way back. */
const alwaysOpen = { captcha: 'never' } as const;

/** The versions of a settings group. */
@ApiTags('admin')
@Controller([`${settingsPath}/:group/history`, 'admin/settings/:group/history'])
export class HistoryController {
  @Get()
  @Access('settings-group', alwaysOpen)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The changes of a settings group, newest first' })
  list(
    @Project() project: ProjectRuntime,
    @Param('group') group: string,
    @Query() query: HistoryQuery,
  ): Promise<HistoryPage> {
    return readHistory(project, group, query);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @Access('settings-group', alwaysOpen)
  @ApiOperation({ summary: 'Return a settings group to a version; secrets stay as they are now' })
  @ApiBody({ type: RestoreBody, required: false })
  restore(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('group') group: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Body() body?: RestoreBody,
  ): Promise<RestoredSettings> {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    return restoreVersion(project, actor, group, { id, state: body?.state ?? 'after' });
  }
}
