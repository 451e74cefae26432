import { Body, Controller, Delete, Get, Header, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { CurrentActor, Project } from '../../http/decorators.js';
import { type DataEnvelope, ok } from '../core/answers.js';
import { CorsRuleBody } from './buckets.dto.js';
import type { BucketView } from './buckets.sql.js';
import { changeBucket } from './change-bucket.js';
import { readBucket } from './read-buckets.js';

type RulesEnvelope = DataEnvelope<BucketView['cors']>;

const action = 'bucket.cors';
const rulesOf = ({ cors }: BucketView): RulesEnvelope => ok(cors);

/** The CORS rules of a bucket. */
@ApiTags('admin')
@Controller(['api/admin/storage/buckets/:slug/cors', 'admin/storage/buckets/:slug/cors'])
export class BucketCorsController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The CORS rules of a bucket' })
  read(@Project() project: ProjectRuntime, @Param('slug') slug: string): Promise<RulesEnvelope> {
    return readBucket(project, slug).then(rulesOf);
  }

  @Put()
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Set the CORS rules of a bucket, in place of those of the project' })
  @ApiBody({ type: [CorsRuleBody] })
  replace(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() cors: unknown,
  ): Promise<RulesEnvelope> {
    // A request without a body sets nothing: null is no list of rules.
    return changeBucket(project, actor, { slug, action, body: { cors: cors ?? null } }).then(
      rulesOf,
    );
  }

  @Delete()
  @Access('admin', 'content.write')
  @ApiOperation({ summary: 'Delete the CORS rules: those of the project hold again' })
  delete(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
  ): Promise<RulesEnvelope> {
    return changeBucket(project, actor, { slug, action, body: { cors: [] } }).then(rulesOf);
  }
}
