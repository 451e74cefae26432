import { Body, Controller, Delete, Get, Param, Put, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import {
  auditActor,
  type GroupSources,
  type ProjectRuntime,
  revertSettings,
  saveSettings,
} from '#libs/project-runtime';
import { describe, SETTINGS_GROUPS } from '#libs/settings';
import { largeJson } from '#libs/web';
import { type Caller, settingsPath } from '#libs/wire';

import { Access } from '../http/access.js';
import { CurrentCaller, Project } from '../http/decorators.js';

const from = (request: FastifyRequest) => ({ ip: request.ip, requestId: request.id });

/** The CAPTCHA is turned off here, so it guards none of these routes. Templates of mails are long. */
const alwaysOpen = { captcha: 'never', body: largeJson } as const;

/** Settings groups (spec: Settings groups). */
@ApiTags('admin')
@Controller([settingsPath, 'admin/settings'])
export class SettingsController {
  @Get()
  @Access('admin', 'settings.manage', alwaysOpen)
  @ApiOperation({ summary: 'The settings groups with their fields, as a form' })
  list() {
    return SETTINGS_GROUPS.map((group) => describe(group));
  }

  @Get(':group')
  @Access('settings-group', alwaysOpen)
  @ApiOperation({ summary: 'Read a settings group; stored secrets are hidden' })
  read(@Project() project: ProjectRuntime, @Param('group') group: string) {
    return project.settings.view(group);
  }

  @Get(':group/sources')
  @Access('settings-group', alwaysOpen)
  @ApiOperation({ summary: 'Read a settings group with the source of each value' })
  sources(@Project() project: ProjectRuntime, @Param('group') group: string): GroupSources {
    return project.settings.viewSources(group);
  }

  @Put(':group')
  @Access('settings-group', alwaysOpen)
  @ApiOperation({ summary: 'Write a settings group as a whole; it holds from the next request on' })
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  save(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('group') group: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ) {
    return saveSettings(project, group, body, auditActor(caller, from(request)));
  }

  @Delete(':group')
  @Access('settings-group', alwaysOpen)
  @ApiOperation({ summary: 'Revert a settings group to its defaults and the environment' })
  revert(
    @Project() project: ProjectRuntime,
    @CurrentCaller() caller: Caller,
    @Param('group') group: string,
    @Req() request: FastifyRequest,
  ) {
    return revertSettings(project, group, auditActor(caller, from(request)));
  }
}
