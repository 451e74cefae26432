import { Body, Controller, Delete, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { StartRelocationBody } from './relocation.dto.js';
import { readRelocation, type RelocationView, startMove, stopMove } from './relocation.js';

/** The move of files to the driver that the settings name. */
@ApiTags('admin')
@Controller(['api/admin/storage/relocation', 'admin/storage/relocation'])
export class RelocationController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'How far the last move of files is' })
  read(@Project() project: ProjectRuntime): Promise<DataEnvelope<RelocationView>> {
    return readRelocation(project).then(ok);
  }

  @Post()
  @HttpCode(200)
  @Access('admin', 'content.write')
  @ApiBody({ type: StartRelocationBody, required: false })
  @ApiOperation({ summary: 'Move all files to where new ones are kept, or go on with that' })
  start(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body?: StartRelocationBody,
  ): Promise<DataEnvelope<RelocationView>> {
    return startMove(project, actor, body ?? {}).then(ok);
  }

  @Delete()
  @HttpCode(200)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Stop the move; files already moved stay where they are' })
  stop(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
  ): Promise<DataEnvelope<RelocationView>> {
    return stopMove(project, actor).then(ok);
  }
}
