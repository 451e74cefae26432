import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { AuditActor, ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { CurrentActor, Project } from '../http/decorators.js';
import { NewFunctionTokenBody } from './tokens.dto.js';
import {
  createToken,
  type FunctionTokenList,
  type NewFunctionToken,
  readTokens,
  removeToken,
} from './tokens.js';

/** Tokens that invoke edge functions. */
@ApiTags('admin')
@Controller(['api/admin/functions/tokens', 'admin/functions/tokens'])
export class FunctionTokensController {
  @Get()
  @Access('admin', 'content.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The tokens for edge functions, by their last characters' })
  list(@Project() project: ProjectRuntime): Promise<FunctionTokenList> {
    return readTokens(project);
  }

  @Post()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Make a token for edge functions; it is shown this once' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Body() body: NewFunctionTokenBody,
  ): Promise<NewFunctionToken> {
    return createToken(project, actor, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Revoke a token for edge functions; it ends with the next call' })
  remove(
    @Project() project: ProjectRuntime,
    @CurrentActor() actor: AuditActor,
    @Param('id') id: string,
  ): Promise<void> {
    return removeToken(project, actor, id);
  }
}
