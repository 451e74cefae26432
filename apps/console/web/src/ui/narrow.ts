import { useSyncExternalStore } from 'react';

/** How wide a page is at which rows have one line (`sm:` of Tailwind). */
const query = window.matchMedia('(width < 40rem)');

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}
