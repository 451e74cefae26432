// The lists of requests, and the feed that adds to them. `audit.read`.
import { type QueryClient, queryOptions } from '@tanstack/react-query';

import { answer, projectApi, sendPlain } from '../../api/client.js';
import { readEvents } from '../../api/event-stream.js';
import { parseJson } from '../../api/json.js';
import { projectPath } from '../../api/place.js';
import { problemOf, unreachable } from '../../api/problem.js';
import { belongsTo, keptRequests, keyOf, type RecentRequest, withNews } from './recent.js';
import type { RequestsSearch } from './search.js';

type List = RequestsSearch['list'];

/** As many as a feed that is opened again reads, to find what it has missed. */
const missedAtMost = 100;

const keyOfLists = (ref: string) => ['projects', ref, 'recent-requests'] as const;

/** A list of the process that answers, as a whole. The server keeps no more. */
export const requestsQuery = (ref: string, list: List) =>
  queryOptions({
    queryKey: [...keyOfLists(ref), list ?? 'all'],
    queryFn: () => readRequests(ref, list, keptRequests),
    retry: false,
  });

async function readRequests(
  ref: string,
  list: List,
  limit: number,
): Promise<readonly RecentRequest[]> {
  const query = { kind: list ?? 'all', limit } as const;
  const asked = projectApi(ref).GET('/api/admin/requests', { params: { query } });
  return (await answer(asked)).requests;
}

/** The request for a list, for the command that repeats it. */
export const pathOf = (ref: string, list: List): string =>
  projectPath(ref, `/api/admin/requests?kind=${list ?? 'all'}&limit=${keptRequests}`);

/** Adds requests, the newest first, to the lists that were read. */
export function addRequests(
  queryClient: QueryClient,
  ref: string,
  news: readonly RecentRequest[],
): void {
  for (const list of [undefined, 'failed', 'slow'] as const) {
    queryClient.setQueryData(
      requestsQuery(ref, list).queryKey,
      (known) =>
        known &&
        withNews(
          known,
          news.filter((request) => belongsTo(list, request)),
        ),
    );
  }
}

/** Resolves when no list is being read: until then, there is nothing to add to, or what is added would be replaced. */
export async function waitForLists(queryClient: QueryClient, ref: string): Promise<void> {
  const filters = { queryKey: keyOfLists(ref), fetchStatus: 'fetching' } as const;
  const reading = queryClient.getQueryCache().findAll(filters);
  await Promise.allSettled(reading.map((query) => Promise.resolve(query.promise)));
}

/** Reads what was missed since the lists were read. */
export async function catchUp(queryClient: QueryClient, ref: string): Promise<void> {
  const newest = await readRequests(ref, undefined, missedAtMost);
  const known = queryClient.getQueryData(requestsQuery(ref, undefined).queryKey) ?? [];
  const keys = new Set(known.map(keyOf));
  const isWhole =
    newest.length < missedAtMost || newest.some((request) => keys.has(keyOf(request)));
  await waitForLists(queryClient, ref);
  if (isWhole) addRequests(queryClient, ref, newest);
  else await queryClient.invalidateQueries({ queryKey: keyOfLists(ref) });
}

interface FeedReader {
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onRequest: (request: RecentRequest) => void;
  /** The server has left requests out, because this reader was too slow. */
  readonly onOmitted: () => void;
}

/** Reads the feed until the server ends it, after a minute. Throws Problem if it cannot be opened, or is interrupted. */
export async function readFeed(ref: string, reader: FeedReader): Promise<void> {
  const { signal } = reader;
  const response = await sendPlain(projectPath(ref, '/api/admin/requests/feed'), { signal });
  if (!response.ok || !response.body) {
    throw problemOf(response, parseJson(await response.text()));
  }
  reader.onOpen();
  try {
    await readEvents(response.body, ({ event, data }) => {
      if (event === 'omitted') reader.onOmitted();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API of the same release has written it
      if (event === 'request') reader.onRequest(JSON.parse(data) as RecentRequest);
    });
  } catch (error) {
    // What browsers throw when a connection breaks off.
    if (error instanceof TypeError) throw unreachable();
    throw error;
  }
}
