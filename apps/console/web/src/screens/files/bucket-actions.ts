// What operators change about buckets.
import { type QueryClient, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs, watchMs } from '../../api/refresh.js';
import { bucketsKey, filesKey } from './queries.js';

export type BucketValues = ProjectSchemas['ChangeBucketBody'];

export const createBucket = (ref: string, body: ProjectSchemas['CreateBucketBody']) =>
  answer(projectApi(ref).POST('/api/admin/storage/buckets', { body }));

export const changeBucket = (ref: string, slug: string, body: BucketValues) =>
  answer(
    projectApi(ref).PATCH('/api/admin/storage/buckets/{slug}', {
      params: { path: { slug } },
      body,
    }),
  );

/** Deletes a bucket with its files. */
export const deleteBucket = (ref: string, slug: string) =>
  answer(
    projectApi(ref).DELETE('/api/admin/storage/buckets/{slug}', {
      params: { path: { slug }, query: { force: 'true' } },
    }),
  );

export const emptyBucket = (ref: string, slug: string) =>
  answer(
    projectApi(ref).POST('/api/admin/storage/buckets/{slug}/empty', { params: { path: { slug } } }),
  );

/** Counts the files of a bucket again; returns by how much the counters were too high. */
export const recountBucket = (ref: string, slug: string) =>
  answer(
    projectApi(ref).POST('/api/admin/storage/buckets/{slug}/recount', {
      params: { path: { slug } },
    }),
  );

/** How far the last emptying of a bucket is. */
export const emptyingQuery = (ref: string, slug: string) =>
  queryOptions({
    queryKey: [...bucketsKey(ref), slug, 'emptying'],
    queryFn: async () => {
      const params = { path: { slug } };
      const path = '/api/admin/storage/buckets/{slug}/empty';
      return (await answer(projectApi(ref).GET(path, { params }))).data;
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? watchMs : refreshMs * 4),
    retry: false,
  });

/** Reads everything about files again that is on the screen. */
export function refreshFiles(queryClient: QueryClient, ref: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: filesKey(ref) });
}
