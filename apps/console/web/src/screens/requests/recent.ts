// Requests as the lists have them: the newest first, each once.
import type { ProjectSchemas } from '../../api/client.js';
import type { RequestsSearch } from './search.js';

export type RecentRequest = ProjectSchemas['RecentRequestView'];

/** As many as the server keeps of each list. */
export const keptRequests = 1_000;
/** From here on a request is slow (libs/project-runtime). */
const slowMs = 1_000;

export const isSlow = ({ ms }: Pick<RecentRequest, 'ms'>): boolean => ms >= slowMs;

/** Whether a list of the server has such a request. */
export function belongsTo(list: RequestsSearch['list'], request: RecentRequest): boolean {
  switch (list) {
    case undefined:
      return true;
    case 'failed':
      return request.status >= 400;
    case 'slow':
      return isSlow(request);
  }
}

/** A text that two requests do not share. Clients choose the ids of their requests, and may use one twice. */
export function keyOf({ requestId, at, method, route, ms }: RecentRequest): string {
  return [requestId, at, method, route, ms].join(' ');
}

/** What the address says of an open request. */
export const addressOf = ({ requestId, at }: RecentRequest): string =>
  `${requestId}@${Date.parse(at)}`;

/** A list with further requests before it; `news` may have some of the list again. */
export function withNews(
  list: readonly RecentRequest[],
  news: readonly RecentRequest[],
): readonly RecentRequest[] {
  const known = new Set(list.map(keyOf));
  const added = news.filter((request) => !known.has(keyOf(request)));
  return added.length === 0 ? list : [...added, ...list].slice(0, keptRequests);
}

/** The requests that the filters of the address leave. */
export function filterRequests(
  list: readonly RecentRequest[],
  { status, method, caller, q = '' }: RequestsSearch,
): readonly RecentRequest[] {
  const wanted = q.trim().toLowerCase();
  return list.filter(
    (request) =>
      (status === undefined || `${Math.floor(request.status / 100)}xx` === status) &&
      (method === undefined || request.method === method) &&
      (caller === undefined || request.credential === caller) &&
      (wanted === '' || textOf(request).includes(wanted)),
  );
}

const textOf = ({ route, code, requestId, userId }: RecentRequest): string =>
  [route, code, requestId, userId].join(' ').toLowerCase();
