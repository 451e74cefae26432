import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { fail } from '#libs/errors';

import { Access } from '../http/access.js';
import { apiDepsToken, type ApiDeps } from '../http/api-deps.js';
import { mayReadMetrics } from './metrics-access.js';
import { Metrics } from './metrics.js';

const ofServer = { servedBy: 'server' } as const;

/** Routes of the server itself: they belong to no project. */
@ApiTags('server')
@Controller()
export class ServerController {
  private readonly figures: Metrics;

  constructor(@Inject(apiDepsToken) private readonly deps: ApiDeps) {
    this.figures = new Metrics(deps);
  }

  @Get('livez')
  @Access('public', ofServer)
  live(): { readonly status: string } {
    return { status: 'live' };
  }

  @Get('readyz')
  @Access('public', ofServer)
  async ready(): Promise<{ readonly status: string }> {
    await this.deps.checkReady();
    return { status: 'ready' };
  }

  @Get('metrics')
  @Access('public', ofServer)
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(@Req() request: FastifyRequest): Promise<string> {
    if (!mayReadMetrics(request, this.deps.metricsToken))
      throw fail('NOT_FOUND', { path: '/metrics' });
    return this.figures.render();
  }
}
