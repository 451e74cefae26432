import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { authStatus } from './auth-status.js';

@ApiTags('admin')
@Controller(['api/admin/auth/status', 'admin/auth/status'])
export class AuthStatusController {
  @Get()
  @Access('admin', 'settings.manage')
  @ApiOperation({ summary: 'Which ways to sign in are on, and what they still need' })
  read(@Project() project: ProjectRuntime) {
    return authStatus(project);
  }
}
