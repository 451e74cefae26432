import { ListX, ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Skeleton } from '../../ui/skeleton.js';

export function NoEntries(): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <ScrollText aria-hidden className="size-6 text-soft" />
      <p className="font-medium">The log is empty</p>
      <p className="max-w-prose text-[14px] text-soft">
        Each change is written here with who made it, when, from which address, and the values
        before and after. Save a setting or rename a project, and it appears within 15 seconds.
      </p>
    </div>
  );
}

export function NoMatch({ onClear }: { readonly onClear: () => void }): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <ListX aria-hidden className="size-6 text-soft" />
      <p>No entry matches the filters.</p>
      <p className="max-w-prose text-[14px] text-soft">
        An action is matched from its beginning: “project” finds “project.pause”. A target is
        matched as a whole.
      </p>
      <Button onClick={onClear}>Show all entries</Button>
    </div>
  );
}

export function WaitingEntries(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading the log"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex h-12 items-center gap-6 px-4">
          <Skeleton className="w-24" />
          <Skeleton className="w-40 max-sm:hidden" />
          <Skeleton className="ml-auto w-32" />
        </div>
      ))}
    </div>
  );
}
