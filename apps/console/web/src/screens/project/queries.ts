// What the home of a project reads. Each part needs another capability; the page asks for what the operator may see.
import { queryOptions } from '@tanstack/react-query';

import { answer, api, projectApi, type ProjectSchemas, type Schemas } from '../../api/client.js';
import type { Span } from './spans.js';

const refreshMs = 30_000;
/** As many as the page shows. */
const limit = 10;
/** Among them are those of operators, which the page leaves out. */
const maxFailedRequests = 100;

const steps = { hour: 'minute', day: 'hour', month: 'day' } as const;

export type ProjectUsage = Schemas['ProjectUsage'];
export type MethodStatus = ProjectSchemas['MethodStatus'];

/** `content.read`. */
export const usageQuery = (ref: string, span: Span) =>
  queryOptions({
    queryKey: ['projects', ref, 'usage', span],
    queryFn: () => {
      const params = { path: { ref }, query: { step: steps[span] } };
      return answer(api.GET('/platform/projects/{ref}/usage', { params }));
    },
    refetchInterval: refreshMs,
  });

/** `content.read`. */
export const domainsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'domains'],
    queryFn: () =>
      answer(api.GET('/platform/projects/{ref}/domains', { params: { path: { ref } } })),
  });

/** `content.read`; not kept, because another administrator may have changed it. */
export const limitsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'limits'],
    queryFn: () =>
      answer(api.GET('/platform/projects/{ref}/limits', { params: { path: { ref } } })),
    gcTime: 0,
  });

/** `secrets.manage`. */
export const keysQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'keys'],
    queryFn: () => answer(api.GET('/platform/projects/{ref}/keys', { params: { path: { ref } } })),
  });

/** `settings.manage`. */
export const statusQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'auth-status'],
    queryFn: () => answer(projectApi(ref).GET('/api/admin/auth/status')),
    retry: false,
  });

/** Work on the project as a whole that is not finished. */
export const operationsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'operations'],
    queryFn: () => answer(api.GET('/platform/operations', { params: { query: { ref, limit } } })),
    refetchInterval: refreshMs,
  });

// The requests below end at the project. Requests of operators are not counted as its use, so they are repeated, too.

/** The last requests of clients that failed, in the process that answers. `audit.read`. */
export const failedRequestsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'failed-requests'],
    queryFn: async () => {
      const query = { kind: 'failed', limit: maxFailedRequests } as const;
      const page = await answer(projectApi(ref).GET('/api/admin/requests', { params: { query } }));
      return page.requests.filter(({ credential }) => credential !== 'operator');
    },
    refetchInterval: refreshMs,
    retry: false,
  });

/** Mails and SMS that could not be sent. `secrets.manage`. */
export const failedMessagesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'failed-messages'],
    queryFn: () => {
      const query = { status: 'failed', limit } as const;
      return answer(projectApi(ref).GET('/api/admin/messages', { params: { query } }));
    },
    refetchInterval: refreshMs,
    retry: false,
  });

/** Calls of hooks that failed, and events whose tries have all failed. `secrets.manage`. */
export const failedDeliveriesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'failed-deliveries'],
    queryFn: async () => {
      const pages = await Promise.all(
        (['failed', 'dead'] as const).map((status) =>
          answer(
            projectApi(ref).GET('/api/admin/hooks/deliveries', {
              params: { query: { status, limit } },
            }),
          ),
        ),
      );
      return pages.flatMap(({ deliveries }) => deliveries);
    },
    refetchInterval: refreshMs,
    retry: false,
  });
