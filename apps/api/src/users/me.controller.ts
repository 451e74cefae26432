import { Body, Controller, Delete, HttpCode, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { changeImage, changeUsername, deleteSelf } from './me.js';
import { DeleteSelfBody, SetImageBody, SetUsernameBody } from './users.dto.js';
import type { UserView } from './users.sql.js';

/** What signed-in users may do with their own account (spec: User, device and notification routes). */
@ApiTags('users')
@Controller('api/users')
export class MeController {
  @Put('username')
  @Access('signed-in')
  @ApiOperation({ summary: 'Change your user name' })
  setUsername(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: SetUsernameBody,
  ): Promise<UserView> {
    return changeUsername(project, caller, body.username);
  }

  @Put('image')
  @Access('signed-in')
  @ApiOperation({ summary: 'Set or clear the address of your picture' })
  setImage(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body: SetImageBody,
  ): Promise<UserView> {
    return changeImage(project, caller, body.image);
  }

  @Delete()
  @HttpCode(204)
  @Access('signed-in')
  @ApiOperation({ summary: 'Delete your account; needs a fresh session or your password' })
  async delete(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Body() body?: DeleteSelfBody,
  ): Promise<void> {
    await deleteSelf(project, caller, body?.password);
  }
}
