// The background work of a project's files while it is served: webhooks, blobs to remove, reservations that
// have run out, and a move to another driver. One look finds what is due and when the next is; a project for
// which nothing waits is not looked at, so that it holds no connection.
import { setTimeout as wait } from 'node:timers/promises';

import type { EngineQueries } from '#libs/database';
import type { Outbound } from '#libs/outbound';

import type { ProjectStorage } from '../project-storage.js';
import type { Lease } from '../replaceable.js';
import { type DueWork, findDueWork } from './due-work.sql.js';
import { emptyBuckets } from './empty-buckets.js';
import { expireUploads } from './garbage.sql.js';
import { relocateFiles } from './relocate-files.js';
import { removeGarbage } from './remove-garbage.js';
import { Runner } from './runner.js';
import { WebhookDelivery } from './webhook-delivery.js';
import type { WebhookSeal } from './webhook-seal.js';

/** The first look: a project that was just opened has requests to answer. */
const firstLookMs = 2000;
/** The longest until the next look while something waits: another process may have changed what is due. */
const longestPauseMs = 60_000;
/** After a round of work, which may have left something for the next second. */
const nextLookMs = 1000;
/** Nudges that come faster share a look. */
const lookSpacingMs = 50;

export interface StorageWorkDeps {
  readonly db: EngineQueries;
  readonly acquireStorage: () => Promise<Lease<ProjectStorage>>;
  /** Calls the receivers of webhooks. */
  readonly outbound: Outbound;
  readonly seal: WebhookSeal;
  /** Of the local driver. An absolute path. */
  readonly storageFolder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
}

export class StorageWork {
  private readonly looking: Runner;
  private readonly webhooks: WebhookDelivery;
  private readonly cleaning: Runner;
  private readonly relocation: Runner;
  private readonly emptying: Runner;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly deps: StorageWorkDeps) {
    const { db, onError } = deps;
    const onEnd = (): void => this.lookIn(nextLookMs);
    const runner = (doing: string, work: (signal: AbortSignal) => Promise<void>) =>
      new Runner({ doing, work, onError, onEnd });
    this.webhooks = new WebhookDelivery({ ...deps, onEnd });
    this.cleaning = runner('remove blobs', async (signal) => {
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
    this.lookIn(firstLookMs);
  }

  /** Tells that there may be work: messages of webhooks, blobs to remove, a move. Returns at once. */
  nudge(): void {
    this.looking.nudge();
  }

  /** Ends after what cannot be left half done; the rest waits in the database. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking.close();
    const works = [this.webhooks, this.cleaning, this.relocation, this.emptying];
    await Promise.all(works.map((work) => work.close()));
  }

  private async look(signal: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      const due = await findDueWork(this.deps.db);
      if (signal.aborted) return;
      if (isDue(due.deliveries)) this.webhooks.nudge();
      if (isDue(due.cleaning)) this.cleaning.nudge();
      if (isDue(due.relocation)) this.relocation.nudge();
      if (isDue(due.emptying)) this.emptying.nudge();
      const nextMs = nextDueMs(due);
      if (nextMs !== undefined) this.lookIn(nextMs);
    } catch (error) {
      this.lookIn(longestPauseMs);
      throw error;
    }
    await wait(lookSpacingMs, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Looks after so many milliseconds, or earlier where that was meant already. */
  private lookIn(milliseconds: number): void {
    if (this.isClosed) return;
    const at = performance.now() + milliseconds;
    if (this.timer !== undefined && this.lookAt <= at) return;
    clearTimeout(this.timer);
    this.lookAt = at;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.nudge();
    }, milliseconds);
    this.timer.unref();
  }

  private lookAt = 0;
}

function isDue(milliseconds: number | null): boolean {
  return milliseconds !== null && milliseconds <= 0;
}

/** When to look again for what is not due yet, if there is such; what is due now is followed by a look anyway. */
function nextDueMs(due: DueWork): number | undefined {
  const { deliveries, cleaning, relocation, emptying } = due;
  const waits = [deliveries, cleaning, relocation, emptying].filter((wait) => wait !== null);
  if (waits.length === 0) return undefined;
  const later = waits.filter((milliseconds) => milliseconds > 0);
  return Math.min(longestPauseMs, ...later.map((milliseconds) => Math.ceil(milliseconds) + 1));
}
