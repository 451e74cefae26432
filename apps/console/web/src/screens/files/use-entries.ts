// The folders and files in sight: read in windows as the list scrolls, and read again every 15 seconds.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';

import { refreshMs } from '../../api/refresh.js';
import { entriesKey, type Entry, type Listing, readEntries } from './queries.js';

/** Entries of one request. */
const windowSize = 200;
/** Entries beyond those in sight that are read as well. */
const margin = 40;
/** While the list is moved faster than this, nothing is read. */
const settleMs = 70;

export interface Entries {
  /** Undefined until it is known. */
  readonly total: number | undefined;
  /** The entries that are read, by their place in the list. */
  readonly entries: ReadonlyMap<number, Entry>;
  readonly error: unknown;
  readonly updatedAt: number;
  /** The places of the first and the last entry in sight. */
  readonly show: (first: number, last: number) => void;
  readonly refresh: () => void;
}

type Page = Awaited<ReturnType<typeof readEntries>>;

/** The entries of a listing. Render it again with another `key` for another one: it begins at the top. */
export function useEntries(listing: Listing): Entries {
  const { ref, bucket, folder, search, order } = listing;
  const [windows, setWindows] = useState({ first: 0, last: 0 });
  const timer = useRef<number>(undefined);
  const numbers = Array.from(
    { length: windows.last - windows.first + 1 },
    (_, index) => windows.first + index,
  );
  const found = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...entriesKey(ref, bucket), folder, search ?? '', order, number],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        readEntries(listing, { limit: windowSize, offset: number * windowSize }, signal),
      refetchInterval: refreshMs,
      retry: false as const,
    })),
    combine: together,
  });
  const { pages } = found;
  const entries = useMemo(() => {
    const read = new Map<number, Entry>();
    for (const [index, page] of pages.entries()) {
      const offset = (windows.first + index) * windowSize;
      for (const [at, entry] of (page?.data ?? []).entries()) read.set(offset + at, entry);
    }
    return read;
  }, [pages, windows.first]);
  const show = useCallback((first: number, last: number): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const next = {
        first: Math.floor(Math.max(0, first - margin) / windowSize),
        last: Math.floor((last + margin) / windowSize),
      };
      setWindows((now) => (now.first === next.first && now.last === next.last ? now : next));
    }, settleMs);
  }, []);
  // The last answer decides; while all windows are read again, the previous total stays.
  const [total, setTotal] = useState<number>();
  const newest = found.newest?.total;
  if (newest !== undefined && newest !== total) setTotal(newest);
  return {
    total: newest ?? total,
    entries,
    error: found.error,
    updatedAt: found.updatedAt,
    show,
    refresh: found.refresh,
  };
}

function together(list: readonly UseQueryResult<Page>[]) {
  const read = [...list].sort((one, other) => other.dataUpdatedAt - one.dataUpdatedAt);
  return {
    pages: list.map(({ data }) => data),
    newest: read.find(({ data }) => data !== undefined)?.data,
    updatedAt: read[0]?.dataUpdatedAt ?? 0,
    error: list.find(({ error }) => error !== null)?.error,
    refresh: () => {
      for (const { refetch } of list) void refetch();
    },
  };
}
