// The background work on an open project's files: objects to remove, expired reservations, and a move to another
// driver. One query finds the work that is due and the time of the next; a project without waiting work is not
// queried, so it holds no connection.
import { setTimeout as wait } from 'node:timers/promises';

import type { EngineQueries } from '#libs/database';

import type { ProjectStorage } from '../project-storage.js';
import type { Lease } from '../replaceable.js';
import { type DueWork, findDueWork } from './due-work.sql.js';
import { emptyBuckets } from './empty-buckets.js';
import { expireUploads } from './garbage.sql.js';
import { relocateFiles } from './relocate-files.js';
import { removeGarbage } from './remove-garbage.js';
import { Runner } from './runner.js';

/** Delay of the first query: a project that was just opened has requests to answer. */
const firstLookMs = 2000;
/** The longest time between two queries while work waits: another process may have changed what is due. */
const longestPauseMs = 60_000;
/** Delay after a round of work, which may have left work for the next second. */
const nextLookMs = 1000;
/** Requests within this time share a query. */
const lookSpacingMs = 50;

export interface StorageWorkDeps {
  readonly db: EngineQueries;
  readonly acquireStorage: () => Promise<Lease<ProjectStorage>>;
  /** For the local driver. An absolute path. */
  readonly storageFolder: string;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Of a project that this process serves. */
export interface OpenStorageWorkDeps extends StorageWorkDeps {
  /** Has due deliveries of webhooks sent. Returns at once. */
  readonly deliverSoon: () => void;
}

export class StorageWork {
  private readonly looking: Runner;
  private readonly cleaning: Runner;
  private readonly relocation: Runner;
  private readonly emptying: Runner;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly deps: OpenStorageWorkDeps) {
    const { db, onError } = deps;
    const onEnd = (): void => this.scheduleIn(nextLookMs);
    const runner = (doing: string, work: (signal: AbortSignal) => Promise<void>) =>
      new Runner({ doing, work, onError, onEnd });
    this.cleaning = runner('remove objects', async (signal) => {
      await expireUploads(db, signal);
      await removeGarbage(deps, signal);
    });
    this.relocation = runner('move files', (signal) => relocateFiles(deps, signal));
    this.emptying = runner('empty buckets', (signal) => emptyBuckets(deps, signal));
    this.looking = new Runner({
      doing: 'look for work on files',
      onError,
      work: (signal) => this.look(signal),
    });
    this.scheduleIn(firstLookMs);
  }

  /** Schedules a look for work: messages of webhooks, objects to remove, a move. Returns at once. */
  schedule(): void {
    this.looking.schedule();
  }

  /** Resolves after work that must not be interrupted; the rest waits in the database. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking.close();
    const works = [this.cleaning, this.relocation, this.emptying];
    await Promise.all(works.map((work) => work.close()));
  }

  private async look(signal: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      const due = await findDueWork(this.deps.db);
      if (signal.aborted) return;
      if (due.hasDeliveries) this.deps.deliverSoon();
      if (isDue(due.cleaning)) this.cleaning.schedule();
      if (isDue(due.relocation)) this.relocation.schedule();
      if (isDue(due.emptying)) this.emptying.schedule();
      const nextMs = nextDueMs(due);
      if (nextMs !== undefined) this.scheduleIn(nextMs);
    } catch (error) {
      this.scheduleIn(longestPauseMs);
      throw error;
    }
    await wait(lookSpacingMs, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Schedules the next look, unless one is due sooner. */
  private scheduleIn(milliseconds: number): void {
    if (this.isClosed) return;
    const at = performance.now() + milliseconds;
    if (this.timer !== undefined && this.lookAt <= at) return;
    clearTimeout(this.timer);
    this.lookAt = at;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.schedule();
    }, milliseconds);
    this.timer.unref();
  }

  private lookAt = 0;
}

function isDue(milliseconds: number | null): boolean {
  return milliseconds !== null && milliseconds <= 0;
}

/**
 * When to look again for work that is not due yet, if there is any; work that is due now is followed by a look anyway.
 */
function nextDueMs(due: DueWork): number | undefined {
  const { cleaning, relocation, emptying } = due;
  const waits = [cleaning, relocation, emptying].filter((wait) => wait !== null);
  if (waits.length === 0) return undefined;
  const later = waits.filter((milliseconds) => milliseconds > 0);
  return Math.min(longestPauseMs, ...later.map((milliseconds) => Math.ceil(milliseconds) + 1));
}
