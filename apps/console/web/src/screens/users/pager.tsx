import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';

interface PagerProps {
  /** Where a page or dialog has several. */
  readonly label?: string;
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** Which rows are in sight, and the way to the others. */
export function Pager({ label = 'Pages', page, perPage, total, onPage }: PagerProps): ReactNode {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const number = (count: number): string => count.toLocaleString('en');
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center justify-end gap-2 pt-3 text-[14px] text-soft"
    >
      <p className="mr-auto tabular-nums">
        {number(Math.min(first, total))}–{number(last)} of {number(total)}
      </p>
      <Button
        size="icon"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </Button>
      <span className="tabular-nums">
        Page {number(page)} of {number(pages)}
      </span>
      <Button
        size="icon"
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  );
}
