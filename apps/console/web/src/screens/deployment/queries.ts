// What the screen reads, for administrators of the deployment. It is read again by itself while it is on screen.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { answer, api, type Schemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import type { WorkState } from './search.js';

export type Deployment = Schemas['DeploymentView'];
export type Part = Schemas['PartHealth'];
export type Variable = Schemas['EnvironmentVariable'];
export type Operation = Schemas['OperationView'];

const pageSize = 50;

export const deploymentQuery = queryOptions({
  queryKey: ['deployment'],
  queryFn: () => answer(api.GET('/platform/deployment')),
  refetchInterval: refreshMs,
});

/** The environment of a process does not change while it runs; another process may answer after a deploy. */
export const environmentQuery = queryOptions({
  queryKey: ['deployment', 'environment'],
  queryFn: () => answer(api.GET('/platform/deployment/environment')),
});

/** The first page begins before no operation. */
const noPage = (): string | undefined => undefined;

/** The query of a page of the work, for the request and for the command that repeats it. */
export const workQueryOf = (state: WorkState | undefined, before?: string) => ({
  limit: pageSize,
  ...(state && { state }),
  ...(before !== undefined && { before }),
});

export const workQuery = (state: WorkState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['deployment', 'work', state],
    queryFn: ({ pageParam }) => {
      const params = { query: workQueryOf(state, pageParam) };
      return answer(api.GET('/platform/operations', { params }));
    },
    initialPageParam: noPage(),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: refreshMs,
  });

export const retryOperation = (id: string): Promise<Operation> =>
  answer(api.POST('/platform/operations/{id}/retry', { params: { path: { id } } }));
