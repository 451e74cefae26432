import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';

import { useIsLost } from '../api/connection.js';

/** Says that the server cannot be reached, for as long as that is so. Then what the page shows is read again. */
export function ConnectionNotice(): ReactNode {
  const isLost = useIsLost();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isLost) return undefined;
    return () => void queryClient.invalidateQueries();
  }, [isLost, queryClient]);
  return (
    // Read out over an open dialog, too, which hides everything else from screen readers.
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 z-50 grid justify-items-center max-sm:bottom-3 sm:top-3"
    >
      {isLost && (
        <p className="appear rounded-lg border border-line bg-warn-soft px-4 py-2 text-[14px] text-warn shadow-float">
          The server cannot be reached. This page tries again by itself and keeps what you have
          typed.
        </p>
      )}
    </div>
  );
}
