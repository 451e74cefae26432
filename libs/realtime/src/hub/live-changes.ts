// The feed of a project as the hub uses it: open while there are sockets, with the gate open for what they ask for.
import { fail } from '#libs/errors';

import { accountBit, bitOfTable, messageBit } from '../feed/bits.js';
import type { FeedListener, Listening } from '../feed/feed.js';
import type { Replay } from '../feed/replay.js';
import type { HubFeed } from './ports.js';

export class LiveChanges {
  #feed: Promise<HubFeed> | undefined;
  #open: HubFeed | undefined;
  #isClosed = false;

  constructor(
    private readonly openFeed: (listener: FeedListener) => Promise<HubFeed>,
    private readonly listener: FeedListener,
  ) {}

  /** Begins with changes of accounts and messages of SQL, which every socket needs. */
  async begin(): Promise<void> {
    const feed = await this.#get();
    await feed.listen([accountBit, messageBit]);
  }

  /** Ends what {@link begin} has begun. */
  end(): void {
    this.#feed?.then((feed) => feed.unlisten([accountBit, messageBit])).catch(() => undefined);
  }

  /** `onFixed` is called when the position is fixed, between two deliveries. */
  async listen(
    tables: readonly number[],
    onFixed?: () => void,
  ): Promise<Listening & { readonly cursor: string }> {
    const feed = await this.#get();
    const listening = await feed.listen(tables.map(bitOfTable), onFixed);
    return { ...listening, cursor: feed.cursorAt(listening.position) };
  }

  unlisten(tables: readonly number[]): void {
    this.#feed?.then((feed) => feed.unlisten(tables.map(bitOfTable))).catch(() => undefined);
  }

  async replay(cursor: string, tables: readonly number[], maxLines: number): Promise<Replay> {
    return (await this.#get()).replay(cursor, tables, maxLines);
  }

  /** The cursor up to which everything has been delivered; undefined while nothing is listened to. */
  get cursor(): string | undefined {
    const position = this.#open?.position;
    return position === undefined ? undefined : this.#open?.cursorAt(position);
  }

  /** The cursor of a position. */
  async cursorAt(position: string): Promise<string> {
    return (await this.#get()).cursorAt(position);
  }

  /** Reads at once: something has committed. */
  wake(): void {
    this.#feed?.then((feed) => feed.wake()).catch(() => undefined);
  }

  /** Resolves when everything has been delivered that was committed before the call. Throws SHUTTING_DOWN. */
  async caughtUp(): Promise<void> {
    await this.#open?.caughtUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const feed = await this.#feed?.catch(() => undefined);
    await feed?.close();
  }

  #get(): Promise<HubFeed> {
    if (this.#isClosed) return Promise.reject(fail('SHUTTING_DOWN'));
    this.#feed ??= this.openFeed(this.listener).then(
      (feed) => (this.#open = feed),
      (error: unknown) => {
        this.#feed = undefined;
        throw error;
      },
    );
    return this.#feed;
  }
}
