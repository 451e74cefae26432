import type { ReactNode } from 'react';

import { Skeleton } from './skeleton.js';

interface WaitingFieldProps {
  readonly label: string;
  /** What is read under the field; it has its place too. */
  readonly hint?: string;
  /** The height of the control (`h-32`); that of a line unless it is given. */
  readonly className?: string;
}

/** Where a field will be: as high as the field, with its label, so that nothing moves when the value comes. */
export function WaitingField({ label, hint, className = 'h-9' }: WaitingFieldProps): ReactNode {
  return (
    <div className="grid gap-1.5">
      <p className="text-[13px] font-semibold">{label}</p>
      <div
        className={`flex items-start rounded-md border border-line-strong bg-surface px-3 py-2 ${className}`}
      >
        <Skeleton className="w-1/2" />
      </div>
      {hint !== undefined && <p className="text-[13px] text-soft">{hint}</p>}
    </div>
  );
}
