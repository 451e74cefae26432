import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { probe } from './probe.js';

/** Health of one project (spec: Health and documentation). */
@ApiTags('health')
@Controller('api/health-check')
export class HealthController {
  @Get()
  @Access('public', { projectKey: 'unneeded', isHealth: true })
  @ApiOperation({ summary: 'Whether the API and the database of the project answer' })
  async check(@Project() project: ProjectRuntime, @Res() reply: FastifyReply): Promise<void> {
    const health = await probe(project);
    reply.code(health.status).send(health);
  }
}
