import { useNavigate } from '@tanstack/react-router';

import type { PoliciesSearch } from './search.js';

/** Changes some parameters of the address and keeps the others. */
export function useChangeSearch(): (change: PoliciesSearch, replace?: boolean) => void {
  const navigate = useNavigate({ from: '/projects/$ref/policies' });
  return (change, replace = false) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      resetScroll: false,
      replace,
    });
}
