// Whose image is made next. What comes in: work in two steps, to fetch a source and to make an image of it. A
// process makes few images at once; shares take turns for these places, so that whoever asks for many waits for
// himself. Sources are fetched before, a few for each share: a slow store holds up nobody else, and memory is
// bounded.
import { availableParallelism } from 'node:os';

import { fail } from '#libs/errors';

import { WaitingLine } from './waiting-line.js';

/** Work on images runs on the threads on which Node.js reads files and hashes passwords, four as a rule. */
const threadsForImages = 3;
const maxWaitingPerShare = 32;
const retryAfterSeconds = 2;

export interface ImageQueueOptions {
  /** How many images are made at once: as many as there are cores, 3 at most, unless it is given. */
  readonly places?: number;
}

/** What leads to one image. */
export interface ImageWork<Source, Result> {
  readonly fetch: (signal: AbortSignal) => Promise<Source>;
  /** Is not interrupted. */
  readonly make: (source: Source) => Promise<Result>;
  /** Ends the waiting and the fetching. */
  readonly signal: AbortSignal;
}

/** Shared by all who make images in a process. */
export class ImageQueue {
  /** How many images are made at once. */
  readonly places: number;
  #free: number;
  /** Shares with work that could begin; the first one is next. */
  readonly #turns = new Set<ImageShare>();

  constructor({ places }: ImageQueueOptions = {}) {
    this.places = places ?? Math.min(availableParallelism(), threadsForImages);
    this.#free = this.places;
  }

  /** A part in the queue, equal to every other one. Nothing is held for it while it has no work. */
  openShare(): ImageShare {
    return new ImageShare(this);
  }

  /** Resolves when `share` may make an image; to be followed by {@link leave}. Throws REQUEST_ABORTED. */
  async enter(share: ImageShare, signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    this.#turns.add(share);
    await share.fetched.wait(signal);
  }

  /** Hands the place to the share whose turn it is. */
  leave(): void {
    for (const share of this.#turns) {
      this.#turns.delete(share);
      if (!share.fetched.admitNext()) continue;
      if (share.fetched.length > 0) this.#turns.add(share);
      return;
    }
    this.#free += 1;
  }
}

/** The part of one project in the queue. */
export class ImageShare {
  /** Work that has its source and waits for a place of the queue. */
  readonly fetched = new WaitingLine();
  readonly #waiting = new WaitingLine();
  /** Work that has its source or is fetching it: what is being made, and one more that can begin at once. */
  readonly #maxInHand: number;
  #inHand = 0;

  constructor(private readonly queue: ImageQueue) {
    this.#maxInHand = queue.places + 1;
  }

  /** Runs the work in its turn. Throws IMAGE_BUSY (429) when 32 wait already, REQUEST_ABORTED (499). */
  async run<Source, Result>(work: ImageWork<Source, Result>): Promise<Result> {
    await this.#takeInHand(work.signal);
    try {
      const source = await work.fetch(work.signal);
      await this.queue.enter(this, work.signal);
      try {
        return await work.make(source);
      } finally {
        this.queue.leave();
      }
    } finally {
      if (!this.#waiting.admitNext()) this.#inHand -= 1;
    }
  }

  async #takeInHand(signal: AbortSignal): Promise<void> {
    if (this.#inHand < this.#maxInHand) {
      this.#inHand += 1;
      return;
    }
    if (this.#waiting.length >= maxWaitingPerShare) {
      throw fail('IMAGE_BUSY', {}, { retryAfterSeconds });
    }
    await this.#waiting.wait(signal);
  }
}
