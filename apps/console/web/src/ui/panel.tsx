import { type ReactNode, useId } from 'react';

interface PanelProps {
  readonly title: string;
  /** Beside the title. */
  readonly side?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with its own heading. */
export function Panel({ title, side, children }: PanelProps): ReactNode {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5"
    >
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-[16px] font-semibold">
          {title}
        </h2>
        {side}
      </header>
      {children}
    </section>
  );
}
