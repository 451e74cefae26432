// Decides whose image is made next. Its work has two steps: fetch a source, make an image from it. A process makes only
// a few images at once, and the shares take turns for these places, so that a project with many requests delays only
// its own. Sources are fetched ahead, a few for each share: a slow store delays no other share, and memory is bounded.
import { availableParallelism } from 'node:os';

import { fail } from '#libs/errors';

import { WaitingLine } from './waiting-line.js';

/** Image work runs on the threads on which Node.js reads files and hashes passwords, by default four. */
const threadsForImages = 3;
const maxWaitingPerShare = 32;
const retryAfterSeconds = 2;

export interface ImageQueueOptions {
  /** How many images are made at once. Default: the number of cores, at most 3. */
  readonly places?: number;
}

/** The work for one image. */
export interface ImageWork<Source, Result> {
  readonly fetch: (signal: AbortSignal) => Promise<Source>;
  /** Is not interrupted. */
  readonly make: (source: Source) => Promise<Result>;
  /** Aborts the waiting and the fetching. */
  readonly signal: AbortSignal;
}

/** Shared by all projects of a process. */
export class ImageQueue {
  /** How many images are made at once. */
  readonly places: number;
  #free: number;
  /** Shares with work that could begin; the first has the next turn. */
  readonly #turns = new Set<ImageShare>();

  constructor({ places }: ImageQueueOptions = {}) {
    this.places = places ?? Math.min(availableParallelism(), threadsForImages);
    this.#free = this.places;
  }

  /** Returns a share of the queue, equal to every other share. It reserves nothing while it has no work. */
  openShare(): ImageShare {
    return new ImageShare(this);
  }

  /** Resolves when `share` may make an image; call {@link release} afterwards. Throws REQUEST_ABORTED. */
  async acquire(share: ImageShare, signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    this.#turns.add(share);
    await share.fetched.wait(signal);
  }

  /** Gives the place to the share that is next. */
  release(): void {
    for (const share of this.#turns) {
      this.#turns.delete(share);
      if (!share.fetched.resolveNext()) continue;
      if (share.fetched.length > 0) this.#turns.add(share);
      return;
    }
    this.#free += 1;
  }
}

/** The share of one project. */
export class ImageShare {
  /** Work that has its source and waits for a place of the queue. */
  readonly fetched = new WaitingLine();
  readonly #waiting = new WaitingLine();
  /** How much work may fetch a source or have one: the images in the making, and one more that can begin at once. */
  readonly #ownPlaces: number;
  #ownPlacesInUse = 0;

  constructor(private readonly queue: ImageQueue) {
    this.#ownPlaces = queue.places + 1;
  }

  /** Runs the work when its turn comes. Throws IMAGE_BUSY (429) if 32 requests wait already, REQUEST_ABORTED (499). */
  async run<Source, Result>(work: ImageWork<Source, Result>): Promise<Result> {
    await this.#acquireOwnPlace(work.signal);
    try {
      const source = await work.fetch(work.signal);
      await this.queue.acquire(this, work.signal);
      try {
        return await work.make(source);
      } finally {
        this.queue.release();
      }
    } finally {
      if (!this.#waiting.resolveNext()) this.#ownPlacesInUse -= 1;
    }
  }

  async #acquireOwnPlace(signal: AbortSignal): Promise<void> {
    if (this.#ownPlacesInUse < this.#ownPlaces) {
      this.#ownPlacesInUse += 1;
      return;
    }
    if (this.#waiting.length >= maxWaitingPerShare) {
      throw fail('IMAGE_BUSY', {}, { retryAfterSeconds });
    }
    await this.#waiting.wait(signal);
  }
}
