import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly about: ReactNode;
  readonly children: ReactNode;
}

/** One subject of a page of settings: what it is at the left, its values at the right. */
export function Section({ title, about, children }: SectionProps): ReactNode {
  return (
    <section className="grid gap-4 border-t border-line py-7 md:grid-cols-[16rem_1fr] md:gap-10">
      <div>
        <h2 className="text-[15px] font-semibold">{title}</h2>
        <p className="mt-1 text-[14px] text-soft">{about}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

/** Rows of a list in a section. */
export function Rows({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">{children}</ul>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly about: ReactNode;
  readonly action?: ReactNode;
}

export function Row({ title, about, action }: RowProps): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0 grow basis-60">
        <p className="font-medium break-words">{title}</p>
        <p className="text-[13px] text-soft">{about}</p>
      </div>
      {action}
    </li>
  );
}
