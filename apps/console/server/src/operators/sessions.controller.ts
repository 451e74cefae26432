import { getCurrentSession, listSessions, revokeSession } from '#libs/control-plane';
import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { BearerToken, CurrentOperator } from '../http/current-operator.js';
import { CurrentSessionReply, SessionReply } from './sessions.dto.js';

@ApiTags('Sessions')
@Controller()
export class SessionsController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get(['auth/get-session', 'admin/session'])
  @Access({ kind: 'session' })
  @ApiOkResponse({ type: CurrentSessionReply })
  current(@BearerToken() token: string): Promise<CurrentSessionReply> {
    return getCurrentSession(this.deps.controlPlane.dataSource, token);
  }

  @Get('platform/sessions')
  @Access({ kind: 'operator' })
  @ApiOkResponse({ type: [SessionReply] })
  list(@CurrentOperator() operator: CurrentOperator): Promise<readonly SessionReply[]> {
    return listSessions(this.deps.controlPlane.dataSource, operator);
  }

  @Delete('platform/sessions/:id')
  @Access({ kind: 'operator' })
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(@CurrentOperator() operator: CurrentOperator, @Param('id') id: string): Promise<void> {
    return revokeSession(this.deps.controlPlane.dataSource, operator, id);
  }
}
