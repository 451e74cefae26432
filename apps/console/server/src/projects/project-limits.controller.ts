import {
  type ProjectLimits,
  projectsContext,
  type ProjectsContext,
  readLimits,
  setLimits,
} from '#libs/control-plane';
import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { ProjectLimitsBody } from './projects.dto.js';

@ApiTags('projects')
@Controller('platform/projects/:ref/limits')
export class ProjectLimitsController {
  readonly #context: ProjectsContext;

  constructor(deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
  }

  @Get()
  @Access({ kind: 'capability', capability: 'content.read', scope: 'project' })
  read(@Param('ref') ref: string): Promise<ProjectLimits> {
    return readLimits(this.#context.dataSource, ref);
  }

  @Put()
  @Access({ kind: 'deployment-admin' })
  async set(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() limits: ProjectLimitsBody,
  ): Promise<ProjectLimits> {
    await setLimits(this.#context, operator, { ...limits, ref });
    return readLimits(this.#context.dataSource, ref);
  }
}
