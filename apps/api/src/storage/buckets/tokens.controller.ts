import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { CreateTokenBody } from './tokens.dto.js';
import { type CreatedToken, createToken, deleteToken, readTokens } from './tokens.js';
import type { TokenView } from './tokens.sql.js';

/** The access tokens of a bucket. */
@ApiTags('admin')
@Controller(['api/admin/storage/buckets/:slug/tokens', 'admin/storage/buckets/:slug/tokens'])
export class BucketTokensController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The access tokens of a bucket, by their first letters' })
  list(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<readonly TokenView[]>> {
    return readTokens(project, slug).then(ok);
  }

  @Post()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Make an access token; it is shown this once' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() body: CreateTokenBody,
  ): Promise<DataEnvelope<CreatedToken>> {
    return createToken(project, actor, { slug, body }).then(ok);
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete an access token; it ends with the next request' })
  delete(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Param('id') id: string,
  ): Promise<void> {
    return deleteToken(project, actor, { slug, id });
  }
}
