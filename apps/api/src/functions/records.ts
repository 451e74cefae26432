// What functions have logged and how they were invoked: as lists, and as a stream of what this process sees.
import type { Readable } from 'node:stream';

import type { JournalEvent, ProjectRuntime } from '#libs/project-runtime';

import { openEventStream, type StreamEvent } from '../http/event-stream.js';
import { maxSeconds } from '../http/live-feed-query.js';
import {
  defaultLimit,
  type FunctionLogsQuery,
  type FunctionStreamQuery,
  type InvocationsQuery,
} from './records.dto.js';
import {
  type FunctionLog,
  type InvocationRecord,
  listInvocations,
  listLogs,
} from './records.sql.js';

export interface FunctionLogPage {
  /** The newest first. */
  readonly logs: readonly FunctionLog[];
  /** The `before` of the next page; null on the last one. */
  readonly next: string | null;
}

export interface InvocationPage {
  /** The newest first. */
  readonly invocations: readonly InvocationRecord[];
  /** The `before` of the next page; null on the last one. */
  readonly next: string | null;
}

export async function readLogs(
  { db, functions }: ProjectRuntime,
  { limit = defaultLimit, ...filter }: FunctionLogsQuery,
): Promise<FunctionLogPage> {
  await functions.journal.flush();
  // One more than asked for shows whether others follow.
  const { shown: logs, next } = pageOf(await listLogs(db, filter, limit + 1), limit);
  return { logs, next };
}

export async function readInvocations(
  { db, functions }: ProjectRuntime,
  { limit = defaultLimit, ...filter }: InvocationsQuery,
): Promise<InvocationPage> {
  await functions.journal.flush();
  const rows = await listInvocations(db, filter, limit + 1);
  const { shown: invocations, next } = pageOf(rows, limit);
  return { invocations, next };
}

function pageOf<Row extends { readonly id: string }>(rows: readonly Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Opens a stream of log lines and invocations. Throws LIVE_FEED_BUSY. */
export function openRecordStream(
  { functions }: ProjectRuntime,
  { seconds = maxSeconds, function: slug, level }: FunctionStreamQuery,
): Readable {
  return openEventStream(
    (listener) =>
      functions.journal.watch((event) => {
        const isOfLevel =
          level === undefined || (event.kind === 'log' && event.line.level === level);
        const shown = eventOf(event);
        if (isOfLevel && (slug === undefined || shown.slug === slug)) listener.event(shown);
      }),
    seconds,
  );
}

function eventOf(event: JournalEvent): StreamEvent & { readonly slug: string } {
  switch (event.kind) {
    case 'log':
      return { ...event.line, kind: event.kind };
    case 'invocation':
      return { ...event.invocation, kind: event.kind };
  }
}
