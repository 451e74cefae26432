import { Controller, Get, Header, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';
import { defaultMessagesLimit, MessagesQuery } from './messages.dto.js';
import { type MessagePage, readMessages, retryMessage } from './messages.js';

/** The state of the project's mails and SMS. Their text is never shown, because it can sign users in. */
@ApiTags('admin')
@Controller(['api/admin/messages', 'admin/messages'])
export class SentMessagesController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The mails and SMS of the last 14 days and their fate, newest first' })
  list(@Project() project: ProjectRuntime, @Query() query: MessagesQuery): Promise<MessagePage> {
    const { status, recipient, before, limit = defaultMessagesLimit } = query;
    return readMessages(project, { status, recipient, before, limit });
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Send a failed or waiting mail or SMS now' })
  retry(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ) {
    const actor = auditActor(caller, { ip: request.ip, requestId: request.id });
    return retryMessage(project, actor, id);
  }
}
