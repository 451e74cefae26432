import { Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { type DeliveryPage, readDeliveries, retryDelivery } from './deliveries.js';
import { HookDeliveriesQuery } from './hooks.dto.js';

/** The log of the calls of hooks. */
@ApiTags('admin')
@Controller(['api/admin/hooks/deliveries', 'admin/hooks/deliveries'])
export class HooksController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The calls of hooks and the events that wait, newest first' })
  list(
    @Project() project: ProjectRuntime,
    @Query() query: HookDeliveriesQuery,
  ): Promise<DeliveryPage> {
    return readDeliveries(project, query);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Send an event again whose tries have all failed' })
  retry(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ) {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    return retryDelivery(project, actor, id);
  }
}
