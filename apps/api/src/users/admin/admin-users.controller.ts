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
  Query,
} from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { Project } from '../../http/decorators.js';
import { type Administrator, CurrentAdministrator } from './administrator.js';
import { actOnUser, changeUser } from './change-user.js';
import { createUser, type OneUser } from './create-user.js';
import { removeUser } from './delete-user.js';
import { ListUsersQuery } from './list-users.dto.js';
import { readUsers, type UserPage } from './list-users.js';
import { readUser, type UserDetail } from './read-user.js';
import { ChangeUserBody, CreateUserBody } from './users.dto.js';

/** The accounts of a project (spec: Admin and console routes). */
@ApiTags('admin')
@Controller(['api/admin/users', 'admin/users'])
export class AdminUsersController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A page of the users that match' })
  list(@Project() project: ProjectRuntime, @Query() query: ListUsersQuery): Promise<UserPage> {
    return readUsers(project, query);
  }

  @Get(':id')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A user with sessions, identities, factors, memberships and API keys' })
  read(@Project() project: ProjectRuntime, @Param('id') id: string): Promise<UserDetail> {
    return readUser(project, id);
  }

  @Post()
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Make an account' })
  create(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Body() body: CreateUserBody,
  ): Promise<OneUser> {
    return createUser(project, administrator, body);
  }

  @Patch(':id')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Change an account; what is left out stays' })
  change(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Body() body: ChangeUserBody,
  ): Promise<OneUser> {
    return changeUser(project, administrator, { userId, body, action: 'user.update' });
  }

  @Post(':id/:action')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Promote, demote, activate, deactivate or unban a user' })
  act(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') userId: string,
    @Param('action') action: string,
  ): Promise<OneUser> {
    return actOnUser(project, administrator, { userId, action });
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete an account with everything that belongs to it' })
  delete(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') id: string,
  ): Promise<void> {
    return removeUser(project, administrator, id);
  }
}
