// The lines of one project's outbox for one process: opens the gate for what is listened to, polls while anything is,
// delivers each line once and in the order of their numbers, and replays what a client has missed. Knows no sockets and
// no rights.

import { fail } from '#libs/errors';

import type { Clock, RealtimeDatabase, Timer } from '../ports.js';
import { cursorOf, type Epoch, isPartOfPage, runPrefixOf } from './cursor.js';
import {
  outlives,
  type Page,
  type PageLimits,
  readEpoch,
  readPage,
  readPosition,
  trimOutbox,
} from './feed.sql.js';
import { Gate, type GateOptions } from './gate.js';
import type { AccountChange, Line } from './lines.js';
import { defaultPace, type Pace, pauseAfter, PollingFeeds } from './pace.js';
import { replay, type Replay } from './replay.js';

export interface FeedOptions {
  readonly pace: Pace;
  /** The feeds of the process. */
  readonly polling: PollingFeeds;
  readonly gate: GateOptions;
  readonly page: PageLimits;
  /** How often old lines are trimmed. */
  readonly trimEveryMs: number;
  /** Called when polling begins; what it returns is called when it ends. */
  readonly whilePolling: () => () => void;
  /** Called with failures of polls, which are tried again. */
  readonly onError: (error: unknown) => void;
}

export interface Listening {
  /**
   * Changes that commit after it are delivered, once the listening is complete. What is delivered from then on has not
   * been committed before.
   */
  readonly position: string;
  /** Transactions are still running that may have written unnoticed. */
  readonly isWarming: boolean;
  readonly complete: Promise<void>;
}

export interface FeedListener {
  /**
   * Receives lines in order, and the position after them. The next ones follow when it has resolved. If it rejects, the
   * same lines come again.
   */
  lines(lines: readonly Line[], position: string): Promise<void>;
  /**
   * Receives changes of accounts ahead of their turn while `lines` takes long, so that rights do not wait for slow
   * policies. They come again in their turn.
   */
  accountsChanged(changes: readonly AccountChange[]): Promise<void>;
  /** All lines up to this position have been delivered. Called after each poll. */
  reached(position: string): void;
  /** Lines are missing between the last ones and those that follow. */
  gap(): void;
}

const defaults: Omit<FeedOptions, 'polling' | 'onError'> = {
  pace: defaultPace,
  gate: { seconds: 120, maxWaitMs: 2_000 },
  page: { maxLines: 2_000, maxBytes: 8 * 1024 * 1024 },
  trimEveryMs: 10_000,
  whilePolling: () => () => undefined,
};
const retryMs = 250;
/** The pauses after which changes of accounts are read ahead. */
const aheadMs = 250;
/** The lines that one step of trimming deletes at most. */
const linesPerTrim = 10_000;

/** A call of `listen` that waits until its position is fixed, or of `caughtUp`. */
interface PendingListen {
  /** Lines that it must not receive have not been read yet: those of one more reading to the end. */
  readonly needsWholeRead: boolean;
  readonly begin: (position: string) => void;
  readonly refuse: (error: unknown) => void;
}

/** Created by {@link Feed.open}, ended by `close`. */
export class Feed {
  readonly #db: RealtimeDatabase;
  readonly #clock: Clock;
  readonly #options: FeedOptions;
  readonly #listener: FeedListener;
  readonly #gate: Gate;
  #epoch: Epoch;
  /** What has been delivered; undefined while nothing is listened to. */
  #position: string | undefined;
  /** Lines after the position may have been delivered: the delivery runs, or has failed and comes again. */
  #isDelivering = false;
  /** No page was read since the last gap. */
  #isInGap = false;
  readonly #pending = new Set<PendingListen>();
  /** Those that have waited since before the reading that is under way. */
  #eligible: ReadonlySet<PendingListen> = new Set();
  #running: Promise<void> | undefined;
  #wakeUp: (() => void) | undefined;
  #isWoken = false;
  #lastLines = -Infinity;
  #lastTrim = -Infinity;
  #isClosed = false;

  private constructor(
    ports: { readonly db: RealtimeDatabase; readonly clock: Clock },
    options: FeedOptions,
    listener: FeedListener,
    epoch: Epoch,
  ) {
    this.#db = ports.db;
    this.#clock = ports.clock;
    this.#options = options;
    this.#listener = listener;
    this.#epoch = epoch;
    this.#gate = new Gate(this.#db, this.#clock, options.gate, () => listener.gap());
  }

  /** Throws the errors of the database. */
  static async open(
    ports: { readonly db: RealtimeDatabase; readonly clock: Clock },
    listener: FeedListener,
    options: Partial<FeedOptions> & Pick<FeedOptions, 'onError'>,
  ): Promise<Feed> {
    const polling = new PollingFeeds();
    const epoch = await readEpoch(ports.db);
    return new Feed(ports, { ...defaults, polling, ...options }, listener, epoch);
  }

  /** Text that a client can come back with. */
  cursorAt(position: string): string {
    return cursorOf(this.#epoch, position);
  }

  /** Up to which everything has been delivered; undefined while nothing is listened to. */
  get position(): string | undefined {
    return this.#position;
  }

  /**
   * Delivers lines of these bits of the gate from now on, until as many calls of `unlisten`. Resolves when the position
   * is fixed; `onFixed` is called at that moment, between two deliveries. Throws the errors of the database, and
   * SHUTTING_DOWN.
   */
  async listen(bits: readonly number[], onFixed = (): void => undefined): Promise<Listening> {
    const { position, isWarming, complete } = await this.#gate.acquire(bits);
    try {
      const fixed = await this.#fix({ opened: position, isAny: bits.length === 0 }, () => {
        this.#gate.reach(bits);
        onFixed();
      });
      return { position: fixed, isWarming, complete };
    } catch (error) {
      await this.unlisten(bits);
      throw error;
    }
  }

  /** `opened` is the position of an opening that has not been reached; undefined without. Any will do for no lines. */
  async #fix(
    { opened, isAny }: { readonly opened: string | undefined; readonly isAny: boolean },
    onFixed: () => void,
  ): Promise<string> {
    const start = opened ?? this.#position ?? (await readPosition(this.#db)).position;
    if (this.#isClosed) throw fail('SHUTTING_DOWN');
    const isFirst = this.#position === undefined;
    this.#position ??= start;
    this.#running ??= this.#run();
    const isAtPosition = opened === undefined || opened === this.#position;
    if (isFirst || isAny || (isAtPosition && !this.#isDelivering)) {
      onFixed();
      return this.#position;
    }
    return new Promise((resolve, refuse) => {
      const begin = (position: string): void => {
        onFixed();
        resolve(position);
      };
      this.#pending.add({ needsWholeRead: opened !== undefined, begin, refuse });
      this.wake();
    });
  }

  async unlisten(bits: readonly number[]): Promise<void> {
    await this.#gate.release(bits);
    if (!this.#gate.isUsed) this.wake();
  }

  /** Polls at once: something has committed. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp?.();
  }

  /**
   * Resolves when everything has been delivered that was committed before the call. Throws SHUTTING_DOWN. Waits as long
   * as the database does not answer.
   */
  async caughtUp(): Promise<void> {
    if (this.#position === undefined) return;
    await new Promise<string>((begin, refuse) => {
      this.#pending.add({ needsWholeRead: true, begin, refuse });
      this.wake();
    });
  }

  /**
   * Returns the changes of tables that a client with this cursor has missed, at most `maxLines`. What commits meanwhile
   * is also delivered to the listener: clients know lines by their numbers. Throws the errors of the database.
   */
  replay(cursor: string, tables: readonly number[], maxLines: number): Promise<Replay> {
    return replay(this.#db, this.#epoch, { cursor, tables, maxLines });
  }

  /** Ends polling; resolves when the last delivery has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#gate.close();
    this.wake();
    await this.#running;
    for (const { refuse } of this.#pending) refuse(fail('SHUTTING_DOWN'));
    this.#pending.clear();
  }

  async #run(): Promise<void> {
    const ended = this.#options.whilePolling();
    const leave = this.#options.polling.add();
    // The promise is kept before the end of this, which forgets it: there may be nothing to poll for.
    await Promise.resolve();
    while (!this.#isClosed && this.#isNeeded && this.#position !== undefined) {
      const startedAt = this.#clock.now();
      this.#isWoken = false;
      try {
        const isMore = await this.#poll(this.#position);
        await this.#trim();
        if (!isMore) await this.#rest(startedAt);
      } catch (error) {
        this.#options.onError(error);
        await this.#pause(retryMs);
      }
    }
    leave();
    ended();
    this.#running = undefined;
    this.#position = undefined;
    this.#isDelivering = false;
  }

  /** Whether anything is listened to, or a call waits. */
  get #isNeeded(): boolean {
    return this.#gate.isUsed || this.#pending.size > 0;
  }

  /** Reads and delivers a page. Returns whether the next one should follow at once. */
  async #poll(position: string): Promise<boolean> {
    if (!isPartOfPage(position)) this.#eligible = new Set(this.#pending);
    const page = await this.#read(position);
    if (page.kind === 'lost') return this.#continueAfterLoss(position);
    this.#isInGap = false;
    if (page.lines.length > 0) {
      this.#isDelivering = true;
      await this.#deliver(page.lines, page.position);
      this.#lastLines = this.#clock.now();
    }
    this.#reach(page.position);
    return isPartOfPage(page.position) || isPartOfPage(position);
  }

  /**
   * Continues after a page that could not be read: at the same position if it outlives its run, else at the current one,
   * with a gap. Returns whether the next page should follow at once.
   */
  async #continueAfterLoss(position: string): Promise<boolean> {
    const epoch = await readEpoch(this.#db);
    const { outbox, run } = this.#epoch;
    const isOtherRun = epoch.outbox === outbox && epoch.run !== run;
    if (isOtherRun && (await outlives(this.#db, { position, runPrefix: runPrefixOf(run) }))) {
      this.#epoch = epoch;
      return true;
    }
    const { position: next } = await readPosition(this.#db);
    // At once with the position: the old one with the new epoch would be a cursor that misses lines.
    this.#epoch = epoch;
    if (!this.#isInGap) this.#listener.gap();
    this.#isInGap = true;
    this.#reach(next);
    return false;
  }

  #read(position: string): Promise<Page> {
    return readPage(this.#db, { position, run: this.#epoch.run }, this.#options.page);
  }

  async #deliver(lines: readonly Line[], position: string): Promise<void> {
    const delivery = this.#listener.lines(lines, position);
    let ahead: string | undefined;
    while (!(await this.#endsSoon(delivery))) {
      if (ahead === undefined) await this.#passAhead(lines);
      ahead = await this.#readAhead(ahead ?? position);
    }
    await delivery;
  }

  async #endsSoon(delivery: Promise<void>): Promise<boolean> {
    let timer: Timer | undefined;
    const pause = new Promise<false>((resolve) => {
      timer = this.#clock.setTimer(aheadMs, () => resolve(false));
    });
    const end = (): true => true;
    const hasEnded = await Promise.race([delivery.then(end, end), pause]);
    timer?.cancel();
    return hasEnded;
  }

  /** The delivery goes on meanwhile, so this must not reject. */
  async #passAhead(lines: readonly Line[]): Promise<void> {
    const changes = lines.filter(isOfAccount);
    await this.#listener.accountsChanged(changes).catch(this.#options.onError);
  }

  /** Passes on changes of accounts after a position. Returns up to where it has read. */
  async #readAhead(position: string): Promise<string> {
    let ahead = position;
    try {
      do {
        const page = await this.#read(ahead);
        // The next poll finds this, too.
        if (page.kind === 'lost') break;
        await this.#passAhead(page.lines);
        ahead = page.position;
      } while (isPartOfPage(ahead) && !this.#isClosed);
    } catch (error) {
      this.#options.onError(error);
    }
    return ahead;
  }

  #reach(position: string): void {
    this.#position = position;
    this.#isDelivering = false;
    this.#listener.reached(position);
    const isEnd = !isPartOfPage(position);
    for (const waiting of this.#pending) {
      if (waiting.needsWholeRead && !(isEnd && this.#eligible.has(waiting))) continue;
      this.#pending.delete(waiting);
      waiting.begin(position);
    }
  }

  async #trim(): Promise<void> {
    const { trimEveryMs } = this.#options;
    const now = this.#clock.now();
    if (now - this.#lastTrim < trimEveryMs) return;
    const deleted = await trimOutbox(this.#db, linesPerTrim);
    // While there is more to delete, a step goes with each poll.
    if (deleted === 0) this.#lastTrim = now;
  }

  async #rest(startedAt: number): Promise<void> {
    const { pace, polling } = this.#options;
    const now = this.#clock.now();
    const gap = startedAt + pace.minGapMs - now;
    if (this.#isWoken && gap <= 0) return;
    const pause = this.#isWoken ? gap : pauseAfter(pace, now - this.#lastLines, polling.count);
    await this.#pause(pause, !this.#isWoken);
    if (this.#isWoken && this.#clock.now() < startedAt + pace.minGapMs) {
      await this.#pause(startedAt + pace.minGapMs - this.#clock.now());
    }
  }

  /** Waits; `wake` ends it early if it may. */
  #pause(ms: number, endsEarly = false): Promise<void> {
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const end = (): void => {
        timer?.cancel();
        this.#wakeUp = undefined;
        resolve();
      };
      timer = this.#clock.setTimer(ms, end);
      if (endsEarly) this.#wakeUp = end;
    });
  }
}

const isOfAccount = (line: Line): line is AccountChange => line.kind === 'A';
