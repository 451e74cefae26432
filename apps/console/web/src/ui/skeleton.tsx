import type { ReactNode } from 'react';

/** Where a text will be. `className` gives its width. */
export function Skeleton({ className }: { readonly className: string }): ReactNode {
  return (
    <span aria-hidden className={`skeleton inline-block h-[0.8em] align-middle ${className}`} />
  );
}
