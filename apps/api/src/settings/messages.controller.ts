import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { RenderedMail } from '#libs/mail-templates';
import type { ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';
import { settingsPath } from '#libs/wire';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { PreviewMailBody, TestMailBody, TestSmsBody } from './messages.dto.js';
import { listTemplates, previewMail, sendTestMail, sendTestSms } from './messages.js';

/** Like all routes below the settings; previews carry templates. */
const alwaysOpen = { captcha: 'never', body: largeJson } as const;

/** Trying out mails and SMS (spec: Admin and console routes). */
@ApiTags('admin')
@Controller([settingsPath, 'admin/settings'])
export class MessagesController {
  @Post('email/test')
  @HttpCode(200)
  @Access('admin', 'secrets.manage', alwaysOpen)
  @ApiOperation({ summary: 'Send a test mail and say how it went' })
  testMail(@Project() project: ProjectRuntime, @Body() body: TestMailBody) {
    return sendTestMail(project, body.to);
  }

  @Post('sms/test')
  @HttpCode(200)
  @Access('admin', 'secrets.manage', alwaysOpen)
  @ApiOperation({ summary: 'Send a test SMS and say how it went' })
  testSms(@Project() project: ProjectRuntime, @Body() body: TestSmsBody) {
    return sendTestSms(project, body.to);
  }

  @Get('email/templates')
  @Access('admin', 'secrets.manage', alwaysOpen)
  @ApiOperation({ summary: 'The kinds of mail with their variables, defaults and templates' })
  templates(@Project() project: ProjectRuntime) {
    return listTemplates(project);
  }

  @Post('email/preview')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access('admin', 'secrets.manage', alwaysOpen)
  @ApiOperation({ summary: 'What a mail would look like' })
  preview(@Project() project: ProjectRuntime, @Body() body: PreviewMailBody): RenderedMail {
    return previewMail(project, body);
  }
}
