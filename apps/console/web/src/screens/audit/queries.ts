// What the screen reads: the log of the deployment, of an organization or of a project, and the one within a project.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { answer, api, projectApi, type ProjectSchemas, type Schemas } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { refreshMs } from '../../api/refresh.js';
import { type AuditSearch, momentsOf } from './search.js';

/** Which log: `inside` is the one that the project itself keeps. */
export type Log =
  | { readonly kind: 'deployment' }
  | { readonly kind: 'organization'; readonly id: string }
  | { readonly kind: 'project'; readonly ref: string }
  | { readonly kind: 'inside'; readonly ref: string };

/** An entry of any of the logs. */
export interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: {
    /** Null if the platform or a key has acted. */
    readonly id: string | null;
    readonly name: string;
  };
  readonly action: string;
  readonly organizationId: string | null;
  readonly ref: string | null;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly ip: string | null;
  readonly requestId: string | null;
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** The id with which the next page begins; null on the last page. */
  readonly next: string | null;
}

/** More pages than these are not read again by themselves. */
export const maxRefreshedPages = 4;
const perPage = 50;
/** The most that one answer has. */
export const maxPerPage = 200;

/** The log of an address, the newest entries first, page by page. */
export const entriesQuery = (log: Log, search: AuditSearch) => {
  const filter: AuditSearch = { ...search, open: undefined };
  return infiniteQueryOptions({
    queryKey: ['audit', log, filter],
    queryFn: ({ pageParam, signal }) =>
      readPage(log, filter, { before: pageParam, limit: perPage, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) <= maxRefreshedPages ? refreshMs : false,
    retry: false,
  });
};

/** One entry, whatever the filters are; null if the log does not have it. */
export const entryQuery = (log: Log, id: string) =>
  queryOptions({
    queryKey: ['audit', log, 'entry', id],
    queryFn: async () => {
      const before = String(BigInt(id) + 1n);
      const { entries } = await readPage(log, {}, { before, limit: 1 });
      return entries.find((entry) => entry.id === id) ?? null;
    },
    retry: false,
  });

interface PageOfLog {
  /** Empty for the newest entries. */
  readonly before: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

export async function readPage(
  log: Log,
  search: AuditSearch,
  { before, limit, signal }: PageOfLog,
): Promise<EntryPage> {
  const place = { limit, ...(before !== '' && { before }) };
  const init = signal ? { signal } : {};
  switch (log.kind) {
    case 'deployment': {
      const query = { ...consoleFilter(search), ...place };
      return pageOf(await answer(api.GET('/platform/audit', { params: { query }, ...init })));
    }
    case 'organization': {
      const query = { ...consoleFilter(search), ...place };
      const params = { path: { organizationId: log.id }, query };
      const asked = api.GET('/platform/organizations/{organizationId}/audit', { params, ...init });
      return pageOf(await answer(asked));
    }
    case 'project': {
      const { ref: _ref, ...filter } = consoleFilter(search);
      const params = { path: { ref: log.ref }, query: { ...filter, ...place } };
      return pageOf(await answer(api.GET('/platform/projects/{ref}/audit', { params, ...init })));
    }
    case 'inside': {
      const query = { ...insideFilter(search), ...place };
      const asked = projectApi(log.ref).GET('/api/admin/audit', { params: { query }, ...init });
      const { entries, next } = await answer(asked);
      return { entries: entries.map((row) => entryOfProject(row, log.ref)), next };
    }
  }
}

/** The address of the first page, for the command that repeats the request. */
export function pathOf(log: Log, search: AuditSearch): string {
  const { ref, ...filter } = consoleFilter(search);
  const given = {
    deployment: { ref, ...filter },
    organization: { ref, ...filter },
    project: filter,
    inside: insideFilter(search),
  }[log.kind];
  const query = Object.entries({ ...given, limit: perPage }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${baseOf(log)}?${new URLSearchParams(query).toString()}`;
}

function baseOf(log: Log): string {
  switch (log.kind) {
    case 'deployment':
      return '/platform/audit';
    case 'organization':
      return `/platform/organizations/${log.id}/audit`;
    case 'project':
      return projectPath(log.ref, '/audit');
    case 'inside':
      return projectPath(log.ref, '/api/admin/audit');
  }
}

function consoleFilter(search: AuditSearch) {
  const { project, operator, action, target } = search;
  return {
    ...(project !== undefined && { ref: project }),
    ...(operator !== undefined && { operatorId: operator }),
    ...(action !== undefined && { action }),
    ...(target !== undefined && { target }),
    ...momentsOf(search, Date.now()),
  };
}

function insideFilter(search: AuditSearch) {
  const { operator, action, target } = search;
  return {
    ...(operator !== undefined && { actorId: operator }),
    // An action and all that begin with it, as in the log of the console.
    ...(action !== undefined && { action: `${action.replace(/[^\w.-]/g, '')}*` }),
    ...(target !== undefined && { target }),
    ...momentsOf(search, Date.now()),
  };
}

function pageOf({ entries, next }: Schemas['AuditPage']): EntryPage {
  return { entries: entries.map(entryOf), next };
}

function entryOf({ operatorId, operatorEmail, ...entry }: Schemas['AuditEntry']): Entry {
  return { ...entry, actor: { id: operatorId, name: operatorEmail ?? 'The platform' } };
}

function entryOfProject({ actor, ...entry }: ProjectSchemas['AuditRow'], ref: string): Entry {
  const isKey = actor.kind === 'secret-key';
  const name = actor.email ?? actor.id ?? (isKey ? 'The secret key' : actor.kind);
  return { ...entry, organizationId: null, ref, actor: { id: isKey ? null : actor.id, name } };
}
