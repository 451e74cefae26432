// What the screen reads and changes. All of it needs `settings.manage`, but for the users and for sending.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import type { ActingAs } from './listener.js';

export type Stats = ProjectSchemas['HubStats'];
export type Topic = ProjectSchemas['JoinedRoom'];
export type Refusal = ProjectSchemas['RecentRefusal'];
export type AnnouncedTable = ProjectSchemas['CapturedTable'];

/** Figures of what happens now. */
const liveMs = 2_000;
export const topicsPerPage = 50;
const shownUsers = 20;

const key = (ref: string) => ['projects', ref, 'realtime'] as const;
export const tablesKey = (ref: string) => [...key(ref), 'tables'] as const;

export const statsQuery = (ref: string) =>
  queryOptions({
    queryKey: [...key(ref), 'stats'],
    queryFn: ({ signal }) => answer(projectApi(ref).GET('/api/admin/realtime/stats', { signal })),
    refetchInterval: liveMs,
    retry: false,
  });

export const topicsQuery = (ref: string, page: number) =>
  queryOptions({
    queryKey: [...key(ref), 'topics', page],
    queryFn: ({ signal }) => {
      const params = { query: { page, perPage: topicsPerPage } };
      return answer(projectApi(ref).GET('/api/admin/realtime/channels', { params, signal }));
    },
    refetchInterval: liveMs,
    placeholderData: keepPreviousData,
    retry: false,
  });

export const refusalsQuery = (ref: string) =>
  queryOptions({
    queryKey: [...key(ref), 'refusals'],
    queryFn: ({ signal }) =>
      answer(projectApi(ref).GET('/api/admin/realtime/refusals', { signal })),
    refetchInterval: liveMs,
    retry: false,
  });

export const tablesQuery = (ref: string) =>
  queryOptions({
    queryKey: tablesKey(ref),
    queryFn: ({ signal }) => answer(projectApi(ref).GET('/api/admin/realtime/tables', { signal })),
    refetchInterval: refreshMs,
    retry: false,
  });

/** Accounts whose address or name has a text. `secrets.manage`. */
export const usersQuery = (ref: string, search: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'users-to-listen', search],
    queryFn: () => {
      const query = { perPage: shownUsers, ...(search !== '' && { search }) };
      return answer(projectApi(ref).GET('/api/admin/users', { params: { query } }));
    },
    staleTime: refreshMs,
  });

export function switchTable(
  ref: string,
  { table, enabled }: AnnouncedTable,
): Promise<AnnouncedTable> {
  return answer(
    projectApi(ref).PUT('/api/admin/realtime/tables/{table}', {
      params: { path: { table } },
      body: { enabled },
    }),
  );
}

export interface SentMessage {
  readonly as: ActingAs;
  readonly topic: string;
  readonly private: boolean;
  readonly event: string;
  readonly payload: unknown;
}

/** `secrets.manage` and `content.write`. */
export function sendMessage(ref: string, message: SentMessage) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of any JSON value is that of an empty object
  const payload = message.payload as Record<string, never>;
  const body = { ...message, as: { ...message.as }, payload };
  return answer(projectApi(ref).POST('/api/admin/realtime/send', { body }));
}
