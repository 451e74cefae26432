import { Body, Controller, Delete, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { Project } from '../../http/decorators.js';
import { type Administrator, CurrentAdministrator } from './administrator.js';
import { banUser } from './ban-user.js';
import type { OneUser } from './create-user.js';
import { ImpersonateBody } from './impersonate.dto.js';
import { type Impersonation, impersonateUser } from './impersonate.js';
import { removeCredential } from './remove-credential.js';
import { BanUserBody } from './users.dto.js';

/** Bans, sessions in the name of users, and the keys that users have made for programs and devices. */
@ApiTags('admin')
@Controller(['api/admin/users', 'admin/users'])
export class UserActionsController {
  @Post(':id/ban')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Deactivate a user for a reason, for ever or until a moment' })
  ban(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Body() { reason, until }: BanUserBody,
  ): Promise<OneUser> {
    return banUser(project, administrator, { userId, reason, until });
  }

  @Post(':id/impersonate')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Begin a session of at most an hour in the name of a user' })
  impersonate(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Body() { expiresInSeconds }: ImpersonateBody,
  ): Promise<Impersonation> {
    return impersonateUser(project, administrator, { userId, expiresInSeconds });
  }

  @Delete(':id/api-keys/:keyId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete an API key of a user' })
  deleteApiKey(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Param('keyId') credentialId: string,
  ): Promise<void> {
    return removeCredential(project, administrator, { kind: 'apiKey', userId, credentialId });
  }

  @Delete(':id/passkeys/:passkeyId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete a passkey of a user' })
  deletePasskey(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Param('passkeyId') credentialId: string,
  ): Promise<void> {
    return removeCredential(project, administrator, { kind: 'passkey', userId, credentialId });
  }
}
