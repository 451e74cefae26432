import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { Project } from '../../http/decorators.js';
import { type Administrator, CurrentAdministrator } from './administrator.js';
import { changeUser } from './change-user.js';
import type { OneUser } from './create-user.js';
import { endSession, endSessions } from './end-sessions.js';
import { readFactors, removeFactor } from './factors.js';
import { generateLink, type GeneratedLink, inviteUser } from './links.js';
import { GenerateLinkBody, InviteUserBody } from './links.dto.js';
import { ResetPasswordBody } from './users.dto.js';

/** How users get in: passwords, sessions, second factors, invitations and links. */
@ApiTags('admin')
@Controller(['api/admin/users', 'admin/users'])
export class UserAccessController {
  @Post('invite')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Make an account and mail a link to it' })
  invite(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Body() body: InviteUserBody,
  ): Promise<OneUser> {
    return inviteUser(project, administrator, body);
  }

  @Post('generate-link')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Make the link or code that a mail would hold' })
  generateLink(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Body() body: GenerateLinkBody,
  ): Promise<GeneratedLink> {
    return generateLink(project, administrator, body);
  }

  @Post(':id/reset-password')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Give a user another password; ends every session' })
  resetPassword(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Body() body: ResetPasswordBody,
  ): Promise<OneUser> {
    return changeUser(project, administrator, { userId, body, action: 'user.resetPassword' });
  }

  @Delete(':id/sessions')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'End every session of a user' })
  endSessions(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') id: string,
  ): Promise<void> {
    return endSessions(project, administrator, id);
  }

  @Delete(':id/sessions/:sessionId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'End one session of a user' })
  endSession(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Param('sessionId') sessionId: string,
  ): Promise<void> {
    return endSession(project, administrator, { userId, sessionId });
  }

  @Get(':id/factors')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'The second factors of a user' })
  factors(@Project() project: ProjectRuntime, @Param('id') id: string) {
    return readFactors(project, id);
  }

  @Delete(':id/factors/:factorId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Remove a second factor of a user' })
  deleteFactor(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Param('factorId') factorId: string,
  ): Promise<void> {
    return removeFactor(project, administrator, { userId, factorId });
  }
}
