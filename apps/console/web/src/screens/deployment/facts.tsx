import type { ReactNode } from 'react';

/** Names with their values, one in each line. */
export function Facts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-[14px] [&_dd]:text-right [&_dd]:break-words [&_dd]:tabular-nums [&_dt]:text-soft">
      {children}
    </dl>
  );
}

export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
