import {
  type DatabaseAccess,
  projectsContext,
  type ProjectsContext,
  readDatabaseAccess,
  rotateDatabasePassword,
} from '#libs/control-plane';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';

@ApiTags('projects')
@Controller('platform/projects/:ref/database')
export class ProjectDatabaseController {
  readonly #context: ProjectsContext;

  constructor(deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
  }

  @Get()
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  access(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
  ): Promise<DatabaseAccess> {
    return readDatabaseAccess(this.#context, operator, ref);
  }

  /** Gives the owner a new password and ends the connections of the old one. */
  @Post('password')
  @HttpCode(200)
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  rotatePassword(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
  ): Promise<DatabaseAccess> {
    return rotateDatabasePassword(this.#context, operator, ref);
  }
}
