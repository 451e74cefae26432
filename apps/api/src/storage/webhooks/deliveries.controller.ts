import { Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime, WebhookOutcome } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { type DeliveryPage, readDeliveries, redeliver, testWebhook } from './deliveries.js';
import type { DeliveryView } from './deliveries.sql.js';
import { ListDeliveriesQuery } from './webhooks.dto.js';

/** What was sent to a webhook. */
@ApiTags('admin')
@Controller([
  'api/admin/storage/buckets/:slug/webhooks/:id',
  'admin/storage/buckets/:slug/webhooks/:id',
])
export class WebhookDeliveriesController {
  @Get('deliveries')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The deliveries of the last two weeks, and those that wait' })
  list(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<DeliveryPage> {
    return readDeliveries(project, { slug, id }, query);
  }

  @Post('deliveries/:deliveryId/redeliver')
  @HttpCode(200)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Send a message again, with the same id' })
  redeliver(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DataEnvelope<DeliveryView>> {
    return redeliver(project, actor, { path: { slug, id }, deliveryId }).then(ok);
  }

  @Post('test')
  @HttpCode(200)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Send a ping now and say what came of it' })
  test(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
    @Param('id') id: string,
  ): Promise<DataEnvelope<WebhookOutcome>> {
    return testWebhook(project, { slug, id }).then(ok);
  }
}
