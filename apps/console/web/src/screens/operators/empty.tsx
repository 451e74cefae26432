import { ListX } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Skeleton } from '../../ui/skeleton.js';

export function Waiting(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading the operators"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: 6 }, (_, row) => (
        <div key={row} className="flex h-14 items-center gap-6 px-4">
          <Skeleton className="w-40" />
          <Skeleton className="w-24 max-sm:hidden" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}

interface NoMatchProps {
  readonly children: ReactNode;
  readonly onClear: () => void;
}

export function NoMatch({ children, onClear }: NoMatchProps): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <ListX aria-hidden className="size-6 text-soft" />
      <p className="max-w-full break-words">{children}</p>
      <Button onClick={onClear}>Remove the filters</Button>
    </div>
  );
}
