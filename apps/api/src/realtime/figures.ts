// What the channels of a project do in this process, for its administrators.
import type { ProjectRuntime } from '#libs/project-runtime';
import type { HubStats, JoinedRoom, RecentRefusal } from '#libs/realtime';

import { type NumberedPage, type PageQuery, rowsOfPage } from '../http/page-query.js';

/** A page of the topics that clients of this process have joined. */
export interface RoomPage extends NumberedPage {
  readonly channels: readonly JoinedRoom[];
}

/** What clients of this process were refused last. */
export interface RefusalList {
  /** At most 100, the newest first. */
  readonly refusals: readonly RecentRefusal[];
}

const nothing: HubStats = {
  connections: 0,
  channels: 0,
  rooms: 0,
  messages: 0,
  changes: 0,
  framesSent: 0,
  framesDropped: 0,
  lagMs: 0,
};

/** All are 0 in a process without a socket of the project. */
export function readFigures({ openRealtime }: ProjectRuntime): HubStats {
  return openRealtime?.hub.stats() ?? nothing;
}

export function readRooms({ openRealtime }: ProjectRuntime, query: PageQuery): RoomPage {
  const rooms = openRealtime?.hub.listRooms() ?? [];
  const { limit, offset } = rowsOfPage(query);
  const { page, perPage } = query;
  return { channels: rooms.slice(offset, offset + limit), total: rooms.length, page, perPage };
}

export function readRefusals({ openRealtime }: ProjectRuntime): RefusalList {
  return { refusals: openRealtime?.hub.inspection.refusals.list() ?? [] };
}
