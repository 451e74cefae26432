import { listUsage, type ProjectUsage, readUsage, type UsagePage } from '#libs/control-plane';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { ListUsageQuery, ReadUsageQuery } from './usage.dto.js';

@ApiTags('usage')
@Controller('platform')
export class UsageController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get('usage')
  @Access({ kind: 'operator' })
  list(
    @CurrentOperator() operator: CurrentOperator,
    @Query() query: ListUsageQuery,
  ): Promise<UsagePage> {
    return listUsage(this.deps.controlPlane.dataSource, operator, query);
  }

  @Get('projects/:ref/usage')
  @Access({ kind: 'capability', capability: 'content.read', scope: 'project' })
  read(@Param('ref') ref: string, @Query() query: ReadUsageQuery): Promise<ProjectUsage> {
    const { step, from, to } = query;
    return readUsage(this.deps.controlPlane.dataSource, ref, {
      step,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    });
  }
}
