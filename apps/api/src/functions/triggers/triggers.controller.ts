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
import { ChangedTriggerBody, NewTriggerBody } from './triggers.dto.js';
import {
  changeTrigger,
  createTrigger,
  readTriggerDeliveries,
  readTriggers,
  removeTrigger,
  retryDeliveries,
  type TriggerDeliveries,
  type TriggerList,
  type TriggerWithSecret,
} from './triggers.js';

/** Triggers of edge functions and of addresses. */
@ApiTags('admin')
@Controller(['api/admin/functions/triggers', 'admin/functions/triggers'])
export class FunctionTriggersController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'What changes of tables call, with what waits and what has failed' })
  list(@Project() project: ProjectRuntime): Promise<TriggerList> {
    return readTriggers(project);
  }

  @Post()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Have changes of a table call a function, or an address' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body: NewTriggerBody,
  ): Promise<TriggerWithSecret> {
    return createTrigger(project, actor, body);
  }

  @Patch(':id')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Change a trigger; a new address gets a new secret' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
    @Body() body: ChangedTriggerBody,
  ): Promise<TriggerWithSecret> {
    return changeTrigger(project, actor, { id, body });
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Remove a trigger with what waits for it' })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
  ): Promise<void> {
    return removeTrigger(project, actor, id);
  }

  @Get(':id/deliveries')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The deliveries of a trigger, newest first' })
  deliveries(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
    @Query() query: DeliveriesQuery,
  ): Promise<TriggerDeliveries> {
    return readTriggerDeliveries(project, id, query);
  }

  @Post(':id/deliveries/:delivery/retry')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Send a delivery again whose attempts have all failed; `all`: each' })
  retry(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<{ readonly retried: number }> {
    return retryDeliveries(project, actor, { id, delivery });
  }
}
