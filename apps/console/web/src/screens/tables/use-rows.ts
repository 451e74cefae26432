// The rows in sight of a table: read in windows as the grid scrolls, and read again every 15 seconds.
import {
  keepPreviousData,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';

import { refreshMs } from '../../api/refresh.js';
import { countQueryOf, queryOf, type RowsQuery } from './filters.js';
import { countRows, readRows, type Viewer } from './requests.js';
import type { RowTexts } from './staging.js';
import { corrected, windowsFor, type Windows, windowSize } from './windows.js';

/** While the grid is moved faster than this, no rows are read. */
const settleMs = 70;
const keptMs = 5 * 60_000;

export interface RowsSource {
  readonly ref: string;
  readonly table: string;
  readonly query: RowsQuery;
  readonly viewer: Viewer;
  /** Tables above this are counted by estimate. */
  readonly count: 'exact' | 'estimated';
}

export interface Rows {
  /** Undefined until it is known. */
  readonly total: number | undefined;
  readonly isEstimate: boolean;
  /** The rows that are read, by their number. */
  readonly rows: ReadonlyMap<number, RowTexts>;
  readonly error: unknown;
  readonly isRefreshing: boolean;
  /** The numbers of the first and the last row in sight. */
  readonly show: (first: number, last: number) => void;
  readonly refresh: () => Promise<void>;
}

export function useRows(source: RowsSource, startAt: number): Rows {
  const { ref, table, query, viewer, count } = source;
  const client = useQueryClient();
  const [windows, setWindows] = useState<Windows>(() => windowsFor(startAt, startAt));
  const timer = useRef<number>(undefined);
  const key = ['projects', ref, 'rows', table, viewer ?? '', query] as const;
  // Each read as a visitor or a user has an entry in the audit log: those are made on demand.
  const interval = viewer === undefined ? refreshMs : (false as const);
  const countQuery = queryOptions({
    queryKey: [...key, 'count'],
    queryFn: async ({ signal }) =>
      (await countRows({ ref, table, viewer, query: countQueryOf(query), signal }, count)) ?? null,
    staleTime: refreshMs,
  });
  const counted = useQuery({
    ...countQuery,
    refetchInterval: interval,
    placeholderData: keepPreviousData,
  });
  const totalOf = (): Promise<number | null> => client.fetchQuery(countQuery);
  const numbers = Array.from(
    { length: windows.last - windows.first + 1 },
    (_, index) => windows.first + index,
  );
  const results = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...key, number],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        readWindow({ ...source, signal, totalOf }, number * windowSize),
      refetchInterval: interval,
      staleTime: refreshMs,
      gcTime: keptMs,
    })),
    combine: together,
  });
  const rows = useMemo(() => {
    const found = new Map<number, RowTexts>();
    for (const [index, part] of results.parts.entries()) {
      const offset = (windows.first + index) * windowSize;
      for (const [at, row] of (part ?? []).entries()) found.set(offset + at, row);
    }
    return found;
  }, [results.parts, windows.first]);
  const show = useCallback((first: number, last: number): void => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const next = windowsFor(first, last);
      setWindows((now) => (now.first === next.first && now.last === next.last ? now : next));
    }, settleMs);
  }, []);
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['projects', ref, 'rows', table] }),
    [client, ref, table],
  );
  return {
    total: corrected(counted.data ?? undefined, count, {
      parts: results.parts,
      first: windows.first,
    }),
    isEstimate: count === 'estimated',
    rows,
    error: results.error ?? counted.error,
    isRefreshing: results.isRefreshing,
    show,
    refresh,
  };
}

function together(list: readonly UseQueryResult<readonly RowTexts[]>[]) {
  return {
    parts: list.map(({ data }) => data),
    error: list.find((result) => result.error !== null)?.error,
    isRefreshing: list.some(({ isFetching }) => isFetching),
  };
}

/** The rows of a window; fewer at the end of the table. */
async function readWindow(
  {
    ref,
    table,
    query,
    viewer,
    signal,
    totalOf,
  }: RowsSource & {
    readonly signal: AbortSignal;
    readonly totalOf: () => Promise<number | null>;
  },
  offset: number,
): Promise<readonly RowTexts[]> {
  const rows: RowTexts[] = [];
  for (let isEnd = false; !isEnd && rows.length < windowSize;) {
    const part = { offset: offset + rows.length, limit: windowSize - rows.length };
    // Each part begins where the one before has ended.
    const read = await readRows({ ref, table, viewer, query: queryOf(query, part), signal });
    rows.push(...read);
    // Fewer rows than requested are the end of the table, or the limit of the project.
    isEnd = read.length === 0 || rows.length === windowSize;
    if (!isEnd) isEnd = offset + rows.length >= ((await totalOf()) ?? 0);
  }
  return rows;
}
