import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';

import { answer, api } from '../api/client.js';
import { isStudio } from '../api/place.js';
import type { SignedIn } from './administrator.js';

/** The operator who is signed in. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: async (): Promise<SignedIn> =>
    isStudio()
      ? (await import('./administrator.js')).readAdministrator()
      : answer(api.GET('/auth/get-session')),
});

export function useOperator(): UseQueryResult<SignedIn> {
  return useQuery(operatorQuery);
}
