import type { ReactNode } from 'react';

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A name with its value, in a list of such pairs (`dl`). */
export function Fact({ name, children }: FactProps): ReactNode {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 break-words">{children}</dd>
    </>
  );
}
