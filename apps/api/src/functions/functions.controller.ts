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
  Put,
  Query,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { CurrentActor, Project } from '../http/decorators.js';
import { createFunction, deployFunction } from './deploy.js';
import { diffVersions, type VersionDiff } from './diff-versions.js';
import { maxBodyBytes } from './function-names.js';
import {
  ActivateBody,
  ChangedFunctionBody,
  DiffQuery,
  FunctionCodeBody,
  NewFunctionBody,
} from './functions.dto.js';
import {
  activateVersion,
  changeFunction,
  type FunctionList,
  type FunctionView,
  type FunctionWithCode,
  readFunction,
  readFunctions,
  readVersion,
  readVersions,
  removeFunction,
  type VersionList,
  versionNumber,
} from './functions.js';
import type { StoredVersion } from './functions.sql.js';
import { readArchive } from './read-archive.js';

const archive = { type: 'application/zip', read: readArchive };
const code = { body: { kind: 'json', maxBytes: maxBodyBytes, archive } } as const;

/** Edge functions and their versions. */
@ApiTags('admin')
@Controller(['api/admin/functions', 'admin/functions'])
export class FunctionsController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The edge functions of the project' })
  list(@Project() project: ProjectRuntime): Promise<FunctionList> {
    return readFunctions(project);
  }

  @Post()
  @Access('admin', 'secrets.manage', code)
  @ApiOperation({
    summary: 'Make an edge function',
    description: 'Its imports are downloaded and its code is checked before it is stored.',
  })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body: NewFunctionBody,
  ): Promise<FunctionView> {
    return createFunction(project, actor, body);
  }

  @Get(':slug')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'An edge function with the code of its active version' })
  read(@Project() project: ProjectRuntime, @Param('slug') slug: string): Promise<FunctionWithCode> {
    return readFunction(project, slug);
  }

  @Put(':slug')
  @Access('admin', 'secrets.manage', code)
  @ApiOperation({ summary: 'Deploy a new version of an edge function; it answers the next call' })
  deploy(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() body: FunctionCodeBody,
  ): Promise<FunctionView> {
    return deployFunction(project, actor, { slug, body });
  }

  @Patch(':slug')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Change the name, the route or the openness of an edge function' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() body: ChangedFunctionBody,
  ): Promise<FunctionView> {
    return changeFunction(project, actor, { slug, body });
  }

  @Delete(':slug')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete an edge function with its versions' })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
  ): Promise<void> {
    return removeFunction(project, actor, slug);
  }

  @Get(':slug/versions')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The versions of an edge function that are kept, newest first' })
  versions(@Project() project: ProjectRuntime, @Param('slug') slug: string): Promise<VersionList> {
    return readVersions(project, slug);
  }

  @Get(':slug/versions/:version')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A version of an edge function with its code' })
  version(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
    @Param('version') version: string,
  ): Promise<StoredVersion> {
    return readVersion(project, slug, versionNumber(slug, version));
  }

  @Get(':slug/versions/:version/diff')
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The files that differ between two versions of an edge function' })
  diff(
    @Project() project: ProjectRuntime,
    @Param('slug') slug: string,
    @Param('version') to: string,
    @Query() { with: from }: DiffQuery,
  ): Promise<VersionDiff> {
    return diffVersions(project, slug, { from, to: versionNumber(slug, to) });
  }

  @Post(':slug/activate')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Return to another version of an edge function' })
  activate(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('slug') slug: string,
    @Body() { version }: ActivateBody,
  ): Promise<FunctionView> {
    return activateVersion(project, actor, { slug, version });
  }
}
