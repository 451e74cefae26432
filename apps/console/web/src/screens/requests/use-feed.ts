import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { addRequests, catchUp, readFeed, waitForLists } from './queries.js';
import type { RecentRequest } from './recent.js';

/** What arrives within this time is drawn at once. */
const gatherMs = 250;
/** The list is drawn first; after this time, the requests that came while it was read are asked for. */
const drawMs = 500;
/** Pauses before the tries after a lost feed; the last one stays. */
const retryMs = [500, 2_000, 5_000, 15_000] as const;

/** Adds to the lists of requests while `isLive`. Returns why nothing is added; undefined: all is well. */
export function useFeed(ref: string, isLive: boolean): unknown {
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => {
    if (!isLive) return undefined;
    const feed = new Feed(queryClient, ref, setProblem);
    void feed.follow();
    return () => feed.close();
  }, [queryClient, ref, isLive]);
  return isLive ? problem : undefined;
}

/** Follows the requests of a project until it is closed. */
class Feed {
  readonly #abort = new AbortController();
  /** Those that are not drawn yet, the newest first. */
  #waiting: RecentRequest[] = [];
  #timer: number | undefined;
  #failures = 0;
  /** Settled when the lists have what came before the stream: what the stream brings is newer, and is added afterwards. */
  #caughtUp = Promise.resolve();

  constructor(
    private readonly queryClient: QueryClient,
    private readonly ref: string,
    private readonly onProblem: (problem: unknown) => void,
  ) {}

  async follow(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        // One stream after the other: each lasts a minute.
        await readFeed(this.ref, {
          signal,
          onOpen: () => this.#opened(),
          onRequest: (request) => this.#gather(request),
          onOmitted: () => this.#catchUp(),
        });
      } catch (error) {
        if (signal.aborted) return;
        this.onProblem(error);
        if (!isPassing(error)) return;
        const ms = retryMs[Math.min(this.#failures, retryMs.length - 1)];
        this.#failures += 1;
        await this.#pause(ms);
      }
    }
  }

  close(): void {
    this.#abort.abort();
    window.clearTimeout(this.#timer);
    this.#add();
  }

  #opened(): void {
    this.#failures = 0;
    this.onProblem(undefined);
    this.#catchUp();
  }

  #catchUp(): void {
    this.#caughtUp = this.#caughtUp.then(async () => {
      await waitForLists(this.queryClient, this.ref);
      await this.#pause(drawMs);
      if (this.#abort.signal.aborted) return;
      try {
        await catchUp(this.queryClient, this.ref);
      } catch (error) {
        if (!this.#abort.signal.aborted) this.onProblem(error);
      }
    });
  }

  #gather(request: RecentRequest): void {
    if (this.#abort.signal.aborted) return;
    this.#waiting.unshift(request);
    this.#timer ??= window.setTimeout(() => void this.#addInOrder(), gatherMs);
  }

  async #addInOrder(): Promise<void> {
    await this.#caughtUp;
    await waitForLists(this.queryClient, this.ref);
    this.#add();
  }

  #add(): void {
    this.#timer = undefined;
    const news = this.#waiting;
    this.#waiting = [];
    if (news.length > 0) addRequests(this.queryClient, this.ref, news);
  }

  #pause(ms: number | undefined): Promise<void> {
    const { signal } = this.#abort;
    return new Promise((resolve) => {
      const end = (): void => {
        window.clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = window.setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }
}

/** Whether another try may succeed. */
function isPassing(error: unknown): boolean {
  const { status } = asProblem(error);
  return status === 0 || status === 429 || status >= 500;
}
