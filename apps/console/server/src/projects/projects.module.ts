import { Module } from '@nestjs/common';
import { ProjectDatabaseController } from './project-database.controller.js';
import { ProjectDomainsController } from './project-domains.controller.js';
import { ProjectLimitsController } from './project-limits.controller.js';
import { ProjectKeysController } from './project-keys.controller.js';
import { ProjectsController } from './projects.controller.js';

@Module({
  controllers: [
    ProjectsController,
    ProjectKeysController,
    ProjectDomainsController,
    ProjectDatabaseController,
    ProjectLimitsController,
  ],
})
export class ProjectsModule {}
