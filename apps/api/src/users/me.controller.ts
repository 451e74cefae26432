import { Body, Controller, Delete, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';
import { smallJson } from '#libs/web';
import type { Caller } from '#libs/wire';

import { relay } from '../auth/index.js';
import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { scopeOf } from '../http/request-scope.js';
import { deleteSelf } from './delete-self.js';
import { changeImage, changeUsername } from './me.js';
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
  @Access('signed-in', { body: { kind: 'bytes', maxBytes: smallJson.maxBytes } })
  @ApiOperation({ summary: 'Delete your account; needs a fresh session or your password' })
  @ApiBody({ type: DeleteSelfBody, required: false })
  async delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const refusal = await deleteSelf(scopeOf(request), request);
    if (refusal) await relay(refusal, reply);
    else reply.code(204).send();
  }
}
