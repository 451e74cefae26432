import {
  type DatabaseAccess,
  getDatabaseAccess,
  projectsContext,
  type ProjectsContext,
} from '#libs/control-plane';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';

@ApiTags('projects')
@Controller('platform/projects/:ref/database')
export class ProjectDatabaseController {
  readonly #context: ProjectsContext;

  constructor(deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
  }

  @Get()
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  access(@Param('ref') ref: string): Promise<DatabaseAccess> {
    return getDatabaseAccess(this.#context, ref);
  }
}
