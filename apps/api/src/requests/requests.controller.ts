import type { Readable } from 'node:stream';

import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime, RecentRequest } from '#libs/project-runtime';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { openEventStream } from '../http/event-stream.js';
import { LiveFeedQuery, maxSeconds } from '../http/live-feed-query.js';
import { RecentRequestsQuery } from './requests.dto.js';

/** A request as administrators see it. */
interface RecentRequestView extends Omit<RecentRequest, 'seq' | 'startedAt'> {
  /** When the request began. */
  readonly at: string;
}

interface RecentRequestsPage {
  /** The newest first. */
  readonly requests: readonly RecentRequestView[];
  /** The `before` of the next page; null on the last one. */
  readonly next: number | null;
}

/** The last requests of a project in the process that answers. */
@ApiTags('admin')
@Controller(['api/admin/requests', 'admin/requests'])
export class RequestsController {
  @Get()
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The last requests that this process has answered, newest first' })
  list(
    @Project() project: ProjectRuntime,
    @Query() query: RecentRequestsQuery,
  ): RecentRequestsPage {
    const { requests, next } = project.recentRequests.list(query);
    return { requests: requests.map(viewOf), next };
  }

  @Get('feed')
  @Access('admin', 'audit.read')
  @Header('cache-control', 'no-store, no-transform')
  @Header('content-type', 'text/event-stream')
  @Header('x-accel-buffering', 'no')
  @ApiOperation({ summary: 'The requests that this process answers, as they end' })
  feed(@Project() project: ProjectRuntime, @Query() query: LiveFeedQuery): Readable {
    return openRequestFeed(project, query.seconds ?? maxSeconds);
  }
}

/** The stream of further requests of a project. Throws LIVE_FEED_BUSY. */
function openRequestFeed({ recentRequests }: ProjectRuntime, seconds: number): Readable {
  return openEventStream(
    (listener) =>
      recentRequests.watch((request) => {
        listener.event({ kind: 'request', ...viewOf(request) });
      }),
    seconds,
  );
}

function viewOf({
  seq: _seq,
  startedAt,
  ms,
  databaseMs,
  ...request
}: RecentRequest): RecentRequestView {
  return {
    at: new Date(startedAt).toISOString(),
    ...request,
    ms: rounded(ms),
    databaseMs: databaseMs === null ? null : rounded(databaseMs),
  };
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
