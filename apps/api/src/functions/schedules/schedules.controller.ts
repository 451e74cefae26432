import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { DeliveriesQuery } from '../../http/deliveries-query.js';
import { ChangedScheduleBody, NewScheduleBody } from './schedules.dto.js';
import {
  changeSchedule,
  createSchedule,
  readRuns,
  readSchedules,
  removeSchedule,
  runSchedule,
  type ScheduleList,
  type ScheduleRuns,
  type ScheduleView,
} from './schedules.js';

/** Schedules of edge functions. */
@ApiTags('admin')
@Controller(['api/admin/functions/schedules', 'admin/functions/schedules'])
export class FunctionSchedulesController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'When functions are called, with the last run of each schedule' })
  list(@Project() project: ProjectRuntime): Promise<ScheduleList> {
    return readSchedules(project);
  }

  @Post()
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Have a function called at the times of a cron expression' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body: NewScheduleBody,
  ): Promise<ScheduleView> {
    return createSchedule(project, actor, body);
  }

  @Patch(':id')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Change a schedule' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
    @Body() input: ChangedScheduleBody,
  ): Promise<ScheduleView> {
    return changeSchedule(project, actor, { id, input });
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Remove a schedule with its runs' })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
  ): Promise<void> {
    return removeSchedule(project, actor, id);
  }

  @Post(':id/run')
  @HttpCode(202)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Run a schedule now' })
  run(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
  ): Promise<{ readonly eventId: string }> {
    return runSchedule(project, actor, id);
  }

  @Get(':id/runs')
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The runs of a schedule, newest first' })
  runs(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<ScheduleRuns> {
    return readRuns(project, id, query);
  }
}
