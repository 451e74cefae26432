// What the home of the studio reads, beside what it has in common with the home in the console.
import { queryOptions } from '@tanstack/react-query';

import { answer, projectApi } from '../../api/client.js';
import { studioRef } from '../../api/place.js';

const refreshMs = 30_000;

/** The number of accounts. `secrets.manage`. */
export const userCountQuery = queryOptions({
  queryKey: ['projects', studioRef, 'user-count'],
  queryFn: async () => {
    const params = { query: { perPage: 1 } };
    return (await answer(projectApi(studioRef).GET('/api/admin/users', { params }))).total;
  },
  refetchInterval: refreshMs,
});

/** The project by its own name for itself. */
export const ownRefQuery = queryOptions({
  queryKey: ['projects', studioRef, 'session'],
  queryFn: async () => (await answer(projectApi(studioRef).GET('/api/admin/session'))).project,
});
