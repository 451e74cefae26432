import type { Readable } from 'node:stream';

import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { FunctionLogsQuery, FunctionStreamQuery, InvocationsQuery } from './records.dto.js';
import {
  type FunctionLogPage,
  type InvocationPage,
  openRecordStream,
  readInvocations,
  readLogs,
} from './records.js';

/** Logs and invocations of edge functions. */
@ApiTags('admin')
@Controller(['api/admin/functions', 'admin/functions'])
export class FunctionRecordsController {
  @Get('logs')
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What edge functions have logged, newest first' })
  logs(
    @Project() project: ProjectRuntime,
    @Query() query: FunctionLogsQuery,
  ): Promise<FunctionLogPage> {
    return readLogs(project, query);
  }

  @Get('invocations')
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The calls of edge functions that have ended, newest first' })
  invocations(
    @Project() project: ProjectRuntime,
    @Query() query: InvocationsQuery,
  ): Promise<InvocationPage> {
    return readInvocations(project, query);
  }

  @Get('logs/stream')
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store, no-transform')
  @Header('content-type', 'text/event-stream')
  @Header('x-accel-buffering', 'no')
  @ApiOperation({ summary: 'Log lines and invocations of edge functions in this process, live' })
  stream(@Project() project: ProjectRuntime, @Query() query: FunctionStreamQuery): Readable {
    return openRecordStream(project, query);
  }
}
