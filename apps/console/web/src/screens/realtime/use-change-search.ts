import { useNavigate } from '@tanstack/react-router';

import type { RealtimeSearch } from './search.js';

/** Changes some parameters of the address and keeps the others. */
export function useChangeSearch(): (change: RealtimeSearch, replace?: boolean) => void {
  const navigate = useNavigate({ from: '/projects/$ref/realtime' });
  return (change, replace = false) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      resetScroll: false,
      replace,
    });
}
