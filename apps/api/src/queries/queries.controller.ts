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
  Req,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { type AuditActor, auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { callerOf } from '../http/request-scope.js';
import { ChangedQueryBody, NewQueryBody } from './queries.dto.js';
import {
  changeQuery,
  type QueryList,
  readQueries,
  readQuery,
  removeQuery,
  saveQuery,
} from './queries.js';
import type { SavedQuery } from './queries.sql.js';

const actorOf = (request: FastifyRequest): AuditActor =>
  auditActor(callerOf(request), { ip: request.ip, requestId: request.id });

/** Queries that are kept in the SQL editor. */
@ApiTags('admin')
@Controller(['api/admin/queries', 'admin/queries'])
export class QueriesController {
  @Get()
  @Access('admin', 'content.write')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Your saved queries and those that others share, without their texts' })
  list(@Project() project: ProjectRuntime, @Req() request: FastifyRequest): Promise<QueryList> {
    return readQueries(project, actorOf(request));
  }

  @Get(':id')
  @Access('admin', 'content.write')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A saved query with its text' })
  read(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<SavedQuery> {
    return readQuery(project, actorOf(request), id);
  }

  @Post()
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({ summary: 'Save a query' })
  save(
    @Project() project: ProjectRuntime,
    @Body() body: NewQueryBody,
    @Req() request: FastifyRequest,
  ): Promise<SavedQuery> {
    return saveQuery(project, actorOf(request), body);
  }

  @Patch(':id')
  @Access('admin', 'content.write', { body: largeJson })
  @ApiOperation({ summary: 'Change a query that you have saved' })
  change(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
    @Body() body: ChangedQueryBody,
    @Req() request: FastifyRequest,
  ): Promise<SavedQuery> {
    return changeQuery(project, { actor: actorOf(request), id }, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'content.write')
  @ApiOperation({
    summary: 'Delete a saved query',
    description: 'With secrets.manage also a shared query of another author.',
  })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return removeQuery(project, { caller, actor: actorOf(request) }, id);
  }
}
