// Which rows of a long list are in sight of the window, where all rows are of one height. A package for it would be a
// fifteenth of what a browser loads before the list.
import { type RefObject, useLayoutEffect, useState } from 'react';

interface Rows {
  readonly count: number;
  /** In pixels, with the space between two rows. */
  readonly height: number;
  /** How many rows above and below the window are drawn as well. */
  readonly overscan: number;
}

/** The first row, and the one after the last. */
interface Sight {
  readonly first: number;
  readonly end: number;
}

/** Returns the positions of the rows to draw, while the window scrolls over the list that begins at `place`. */
export function useRowsInSight(
  place: RefObject<HTMLElement | null>,
  { count, height, overscan }: Rows,
): readonly number[] {
  const [{ first, end }, setSight] = useState<Sight>({ first: 0, end: 0 });
  useLayoutEffect(() => {
    const look = (): void => {
      const top = place.current?.getBoundingClientRect().top ?? 0;
      const next = rowsBetween(-top, window.innerHeight - top, { count, height, overscan });
      setSight((now) => (now.first === next.first && now.end === next.end ? now : next));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [place, count, height, overscan]);
  return Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, at) => first + at);
}

/** The rows between two distances from the top of the list, in pixels, and `overscan` more on both sides. */
export function rowsBetween(from: number, to: number, { count, height, overscan }: Rows): Sight {
  const within = (row: number): number => Math.min(count, Math.max(0, row));
  return {
    first: within(Math.floor(from / height) - overscan),
    end: within(Math.ceil(to / height) + overscan),
  };
}
