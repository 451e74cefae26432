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
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { ChangeWebhookBody, CreateWebhookBody } from './webhooks.dto.js';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  readWebhook,
  readWebhooks,
  rotateSecret,
  type WebhookWithSecret,
} from './webhooks.js';
import type { WebhookView } from './webhooks.sql.js';

/** Webhooks that report changes to the files of a bucket. */
@ApiTags('admin')
@Controller(['api/admin/storage/buckets/:slug/webhooks', 'admin/storage/buckets/:slug/webhooks'])
export class WebhooksController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The webhooks of a bucket, without their secrets' })
  list(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<readonly WebhookView[]>> {
    return readWebhooks(project, slug).then(ok);
  }

  @Post()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Make a webhook; its secret is shown this once' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() body: CreateWebhookBody,
  ): Promise<DataEnvelope<WebhookWithSecret>> {
    return createWebhook(project, actor, { slug, body }).then(ok);
  }

  @Get(':id')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A webhook, without its secret' })
  read(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
    @Param('id') id: string,
  ): Promise<DataEnvelope<WebhookView>> {
    return readWebhook(project, { slug, id }).then(ok);
  }

  @Patch(':id')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Change a webhook; what is left out stays' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Body() body: ChangeWebhookBody,
  ): Promise<DataEnvelope<WebhookView>> {
    return changeWebhook(project, actor, { path: { slug, id }, body }).then(ok);
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Delete a webhook with its deliveries' })
  delete(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Param('id') id: string,
  ): Promise<void> {
    return deleteWebhook(project, actor, { slug, id });
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Give a webhook a new secret; the old one signs along for a day' })
  rotate(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Param('id') id: string,
  ): Promise<DataEnvelope<WebhookWithSecret>> {
    return rotateSecret(project, actor, { slug, id }).then(ok);
  }
}
