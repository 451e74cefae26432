import { Controller, Delete, Get, Header, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { emptyInbox, type InboxPage, readInbox, readMail } from './inbox.js';
import { defaultInboxLimit, InboxQuery } from './inbox.dto.js';
import type { KeptMail } from './inbox.sql.js';

/**
 * The development inbox: mails of a project without a mail server. Their codes and links sign users in, so reading them
 * requires the capability for credentials.
 */
@ApiTags('admin')
@Controller(['api/admin/inbox', 'admin/inbox'])
export class InboxController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The last mails that were kept instead of sent, newest first' })
  list(@Project() project: ProjectRuntime, @Query() query: InboxQuery): Promise<InboxPage> {
    const { recipient, before, limit = defaultInboxLimit } = query;
    return readInbox(project, { recipient, before, limit });
  }

  @Get(':id')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'One kept mail with its text and its HTML' })
  read(@Project() project: ProjectRuntime, @Param('id') id: string): Promise<KeptMail> {
    return readMail(project, id);
  }

  @Delete()
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete every kept mail' })
  empty(@Project() project: ProjectRuntime): Promise<void> {
    return emptyInbox(project);
  }
}
