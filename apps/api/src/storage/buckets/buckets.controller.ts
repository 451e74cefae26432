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
  Req,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { scopeOf } from '../../http/request-scope.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { ListFilesQuery } from '../files/files.dto.js';
import { type FilePage, listFiles } from '../files/list-files.js';
import {
  ChangeBucketBody,
  CreateBucketBody,
  DeleteBucketQuery,
  ListBucketsQuery,
} from './buckets.dto.js';
import type { BucketView, CounterDrift } from './buckets.sql.js';
import { changeBucket } from './change-bucket.js';
import { createBucket } from './create-bucket.js';
import { deleteBucket } from './delete-bucket.js';
import { emptyBucket, type EmptyingView, readEmptying } from './empty-bucket.js';
import { readBucket, readBuckets } from './read-buckets.js';
import { recountBucket } from './recount-bucket.js';

const signalOf = (request: FastifyRequest): AbortSignal => scopeOf(request).client.signal;

/** The buckets of a project (spec: Storage routes). */
@ApiTags('admin')
@Controller(['api/admin/storage/buckets', 'admin/storage/buckets'])
export class BucketsController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The buckets with what they hold' })
  list(
    @Project() project: ProjectRuntime,
    @Query() query: ListBucketsQuery,
  ): Promise<DataEnvelope<readonly BucketView[]>> {
    return readBuckets(project, { withHidden: query.hidden === 'true' }).then(ok);
  }

  @Post()
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Make a bucket' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body: CreateBucketBody,
  ): Promise<DataEnvelope<BucketView>> {
    return createBucket(project, actor, body).then(ok);
  }

  @Get(':slug')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A bucket with what it holds' })
  read(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<BucketView>> {
    return readBucket(project, slug).then(ok);
  }

  @Patch(':slug')
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Change a bucket; what is left out stays, null takes a limit away' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() body: ChangeBucketBody,
  ): Promise<DataEnvelope<BucketView>> {
    return changeBucket(project, actor, { slug, body, action: 'bucket.update' }).then(ok);
  }

  @Delete(':slug')
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Delete a bucket; a bucket with files only with force' })
  delete(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Query() query: DeleteBucketQuery,
    @Req() request: FastifyRequest,
  ): Promise<DataEnvelope<{ readonly slug: string }>> {
    const force = query.force === 'true';
    return deleteBucket(project, actor, { slug, force, signal: signalOf(request) }).then(ok);
  }

  @Post(':slug/empty')
  @HttpCode(202)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Begin to delete the files that are in the bucket now' })
  empty(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<EmptyingView>> {
    return emptyBucket(project, actor, slug).then(ok);
  }

  @Get(':slug/empty')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'How far the last emptying of the bucket is' })
  emptying(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<EmptyingView>> {
    return readEmptying(project, slug).then(ok);
  }

  @Get(':slug/files')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'List the files and folders of a bucket, of all owners' })
  files(
    @Project() project: ProjectRuntime,
    @Param('slug') bucket: string,
    @Query() query: ListFilesQuery,
  ): Promise<FilePage> {
    const { prefix = '', recursive, ...page } = query;
    const listing = { ...page, bucket, prefix, recursive: recursive === 'true' };
    return listFiles(project, { kind: 'platform' }, listing);
  }

  @Post(':slug/recount')
  @HttpCode(200)
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Recompute the counters of a bucket and return the correction' })
  recount(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
  ): Promise<DataEnvelope<CounterDrift>> {
    return recountBucket(project, actor, slug).then(ok);
  }
}
