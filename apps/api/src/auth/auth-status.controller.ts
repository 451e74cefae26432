import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { authStatus } from './auth-status.js';
import { type OriginsReport, reportOrigins } from './origins.js';
import { OriginsQuery } from './origins.dto.js';
import { type RotatedKeys, rotateKeys } from './rotate-keys.js';
import { RotateKeysBody } from './rotate-keys.dto.js';
import { readSigningKeys, type SigningKeys } from './signing-keys.js';

@ApiTags('admin')
@Controller(['api/admin/auth', 'admin/auth'])
export class AuthStatusController {
  @Get('status')
  @Access('admin', 'settings.manage')
  @ApiOperation({ summary: 'Which ways to sign in are on, and what they still need' })
  read(@Project() project: ProjectRuntime) {
    return authStatus(project);
  }

  @Get('origins')
  @Access('admin', 'secrets.manage')
  @ApiOperation({
    summary: 'The origins whose pages may use cookies, and whether a given page may',
  })
  origins(@Project() project: ProjectRuntime, @Query() query: OriginsQuery): OriginsReport {
    return reportOrigins(project, query.origin);
  }

  @Get('keys')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'The keys that tokens are signed with, without their private halves' })
  keys(@Project() project: ProjectRuntime): Promise<SigningKeys> {
    return readSigningKeys(project);
  }

  @Post('keys/rotate')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Sign tokens with a new key from now on' })
  @ApiBody({ type: RotateKeysBody, required: false })
  rotate(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Body() body?: RotateKeysBody,
  ): Promise<RotatedKeys> {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    return rotateKeys(project, actor, body?.graceDays);
  }
}
