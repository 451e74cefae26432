import { type ReactNode, useEffect } from 'react';

import { Mark } from './mark.js';

interface CardProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** A page of its own for one step: sign-in, invitation, errors. */
export function Card({ title, about, children }: CardProps): ReactNode {
  useTitle(title);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid w-full max-w-[25rem] gap-6">
        <p className="flex items-center justify-center gap-2.5 text-[17px] font-semibold">
          <Mark /> Rowhouse
        </p>
        <div className="grid gap-5 rounded-xl border border-line bg-surface p-6 shadow-lift">
          <div className="grid gap-1">
            <h1 className="text-[20px] leading-tight font-semibold">{title}</h1>
            {about !== undefined && <p className="text-[14px] text-soft">{about}</p>}
          </div>
          {children}
        </div>
      </div>
    </main>
  );
}

/** Names the page in the tab of the browser. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Rowhouse`;
  }, [title]);
}
