// The last requests of a project in this process, for its developers: who asked for which route, with which result. No
// value of a request is kept, and no address: the route is kept as its pattern.
import { fail } from '#libs/errors';
import type { Credential } from '#libs/wire';

/** How many are kept, and how many of those that failed or were slow. */
const keptRequests = 1_000;
const slowMs = 1_000;
const maxWatchers = 10;

export interface RecentRequest {
  /** Grows with each request of the process. */
  readonly seq: number;
  readonly requestId: string;
  /** When the request began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly method: string;
  /** The pattern of the route; null if the request matched none. */
  readonly route: string | null;
  readonly status: number;
  /** The code of the error; null without one. */
  readonly code: string | null;
  readonly ms: number;
  /** How long the database was busy with statements for tables, functions and files that succeeded; null without any. */
  readonly databaseMs: number | null;
  readonly credential: Credential['kind'];
  /** The user, on routes that look up their caller before their work; null on all others, also with a session. */
  readonly userId: string | null;
}

export type RequestKind = 'all' | 'failed' | 'slow';

interface Page {
  /** The newest first. */
  readonly requests: readonly RecentRequest[];
  /** The `seq` with which the next page continues; null on the last page. */
  readonly next: number | null;
}

export class RecentRequests {
  readonly #all = new Ring();
  /** Failed or slow: a burst of others does not push them out. */
  readonly #notable = new Ring();
  readonly #watchers = new Set<(request: RecentRequest) => void>();
  #seq = 0;

  record(request: Omit<RecentRequest, 'seq'>): void {
    const seq = (this.#seq += 1);
    this.#all.add(seq, request);
    if (isFailed(request) || isSlow(request)) this.#notable.add(seq, request);
    for (const watch of this.#watchers) watch({ seq, ...request });
  }

  list({
    kind,
    before = Infinity,
    limit,
  }: {
    readonly kind: RequestKind;
    readonly before?: number | undefined;
    readonly limit: number;
  }): Page {
    const kept = kind === 'all' ? this.#all.newest() : this.#notable.newest();
    const isWanted = kind === 'slow' ? isSlow : kind === 'failed' ? isFailed : () => true;
    const found = kept.filter((request) => request.seq < before && isWanted(request));
    const requests = found.slice(0, limit);
    return { requests, next: found.length > limit ? (requests.at(-1)?.seq ?? null) : null };
  }

  /** Calls with each further request until the returned function is called. Throws LIVE_FEED_BUSY. */
  watch(watcher: (request: RecentRequest) => void): () => void {
    if (this.#watchers.size >= maxWatchers) throw fail('LIVE_FEED_BUSY', { limit: maxWatchers });
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}

const isFailed = ({ status }: Pick<RecentRequest, 'status'>): boolean => status >= 400;
const isSlow = ({ ms }: Pick<RecentRequest, 'ms'>): boolean => ms >= slowMs;

/**
 * Keeps the last {@link keptRequests} of what is added. Its entries are written over: new ones for each request would all
 * live just long enough to be moved by the garbage collector.
 */
class Ring {
  readonly #kept: { -readonly [Field in keyof RecentRequest]: RecentRequest[Field] }[] = [];
  #at = 0;

  add(seq: number, request: Omit<RecentRequest, 'seq'>): void {
    const entry = this.#kept[this.#at];
    if (entry) {
      entry.seq = seq;
      entry.requestId = request.requestId;
      entry.startedAt = request.startedAt;
      entry.method = request.method;
      entry.route = request.route;
      entry.status = request.status;
      entry.code = request.code;
      entry.ms = request.ms;
      entry.databaseMs = request.databaseMs;
      entry.credential = request.credential;
      entry.userId = request.userId;
    } else this.#kept[this.#at] = { seq, ...request };
    this.#at = (this.#at + 1) % keptRequests;
  }

  newest(): readonly RecentRequest[] {
    const kept = [...this.#kept.slice(this.#at), ...this.#kept.slice(0, this.#at)].reverse();
    return kept.map((entry) => ({ ...entry }));
  }
}
