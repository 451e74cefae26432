import type { Readable } from 'node:stream';

import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';
import type { HubStats } from '#libs/realtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { PageQuery } from '../http/page-query.js';
import { LiveFeedQuery } from '../http/live-feed-query.js';
import {
  readFigures,
  readRefusals,
  readRooms,
  type RefusalList,
  type RoomPage,
} from './figures.js';
import { openLiveFeed } from './live-feed.js';

/** The channels of a project in the process that answers. */
@ApiTags('admin')
@Controller(['api/admin/realtime', 'admin/realtime'])
export class FiguresController {
  @Get('stats')
  @Access('admin', 'settings.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The connections, channels and frames of this process' })
  stats(@Project() project: ProjectRuntime): HubStats {
    return readFigures(project);
  }

  @Get('channels')
  @Access('admin', 'settings.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The topics that clients of this process have joined' })
  channels(@Project() project: ProjectRuntime, @Query() query: PageQuery): RoomPage {
    return readRooms(project, query);
  }

  @Get('refusals')
  @Access('admin', 'settings.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'What clients of this process were refused last, and why',
    description:
      'Refused connections and frames, and channels and connections that the server has ended. ' +
      'The same refusal of the same connection is one entry with its number.',
  })
  refusals(@Project() project: ProjectRuntime): RefusalList {
    return readRefusals(project);
  }

  @Get('feed')
  @Access('admin', 'settings.manage')
  @Header('cache-control', 'no-store, no-transform')
  @Header('content-type', 'text/event-stream')
  @Header('x-accel-buffering', 'no')
  @ApiOperation({
    summary: 'What is sent to clients of this process, and what is refused, as it happens',
  })
  feed(@Project() project: ProjectRuntime, @Query() query: LiveFeedQuery): Readable {
    return openLiveFeed(project, query);
  }
}
