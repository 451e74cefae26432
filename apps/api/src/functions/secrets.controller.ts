import { Body, Controller, Delete, Get, Header, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { CurrentActor, Project } from '../http/decorators.js';
import {
  maxSecretsBytes,
  readSecrets,
  removeSecrets,
  type SecretList,
  writeSecrets,
} from './secrets.js';
import { RemovedSecretsBody } from './secrets.dto.js';

/** The environment of edge functions. */
@ApiTags('admin')
@Controller(['api/admin/functions/secrets', 'admin/functions/secrets'])
export class FunctionSecretsController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The names of the secrets of edge functions' })
  list(@Project() project: ProjectRuntime): Promise<SecretList> {
    return readSecrets(project);
  }

  @Put()
  @Access('admin', 'secrets.manage', { body: { kind: 'json', maxBytes: maxSecretsBytes } })
  @ApiOperation({ summary: 'Set secrets of edge functions; others stay as they are' })
  @ApiBody({
    schema: {
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { GREETING: 'Hello' },
    },
  })
  set(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body: unknown,
  ): Promise<SecretList> {
    return writeSecrets(project, actor, body);
  }

  @Delete()
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete secrets of edge functions' })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() { names }: RemovedSecretsBody,
  ): Promise<SecretList> {
    return removeSecrets(project, actor, names);
  }
}
