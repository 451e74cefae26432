import type { ReactNode } from 'react';

import { Skeleton } from './skeleton.js';

interface WaitingPanelsProps {
  readonly count: number;
  /** The height of each panel (`h-40`). */
  readonly height: string;
}

/** Where panels will be, one below the other. */
export function WaitingPanels({ count, height }: WaitingPanelsProps): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-5">
      {Array.from({ length: count }, (_, place) => (
        <div
          key={place}
          className={`grid content-start gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5 ${height}`}
        >
          <Skeleton className="w-40" />
          <Skeleton className="w-64" />
        </div>
      ))}
    </div>
  );
}
