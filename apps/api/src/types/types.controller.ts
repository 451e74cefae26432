import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { typesOfProject } from './types-of-project.js';

/** The project's tables and functions as a TypeScript file; `rowhouse gen types` fetches it. */
@ApiTags('admin')
@Controller(['api/admin/types', 'admin/types'])
export class TypesController {
  @Get()
  @Access('admin', 'content.read')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'TypeScript types of the tables and functions, for the client' })
  @ApiProduces('text/plain')
  read(@Project() project: ProjectRuntime): Promise<string> {
    return typesOfProject(project);
  }
}
