import type { Readable } from 'node:stream';

import type { ProjectRuntime } from '#libs/project-runtime';

import { openEventStream } from '../http/event-stream.js';
import { type LiveFeedQuery, maxSeconds } from '../http/live-feed-query.js';

/** Opens a stream of what happens in the channels of a project. Throws LIVE_FEED_BUSY. */
export function openLiveFeed(
  { realtime }: ProjectRuntime,
  { seconds = maxSeconds }: LiveFeedQuery,
): Readable {
  return openEventStream((listener) => realtime.hub.inspection.watch(listener), seconds);
}
