// Watches who sends an upload, and ends it when they go, stop sending or take too long, or the server stops.
import type { IncomingMessage } from 'node:http';

import { type AppError, fail } from '#libs/errors';

/** How long a client may send nothing before the upload is aborted. */
export const defaultStalledMs = 30_000;
const looksPerLimit = 8;

export interface SenderLimits {
  readonly stalledMs: number;
  /** For all of the body. */
  readonly wholeMs: number;
}

export interface WatchOptions {
  readonly limits: SenderLimits;
  /** Aborts when the client goes. */
  readonly client: AbortSignal;
  /** Aborts when the server stops; its reason is an error for the client. */
  readonly ending: AbortSignal;
}

/** Begins at once; dispose of it when the upload has ended. */
export class SenderWatch implements Disposable {
  private readonly controller = new AbortController();
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private seenBytes: number;
  private movedAt = this.startedAt;
  private error: AppError | undefined;
  /** Those who wait for the sender. Asked for with every chunk, where listening to the signal would be dear. */
  private readonly waiting = new Set<(error: AppError) => void>();
  private readonly onGone = (): void => this.end(fail('REQUEST_ABORTED'));
  private readonly onEnding = (): void => this.end(fail('SHUTTING_DOWN'));

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: WatchOptions,
  ) {
    const { client, ending, limits } = options;
    this.seenBytes = request.socket.bytesRead;
    client.addEventListener('abort', this.onGone, { once: true });
    ending.addEventListener('abort', this.onEnding, { once: true });
    this.timer = setInterval(() => this.look(), limits.stalledMs / looksPerLimit).unref();
    if (client.aborted || request.destroyed) this.onGone();
    if (ending.aborted) this.onEnding();
  }

  /** Ends what waits for the sender. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the upload was ended, when it was. */
  get reason(): AppError | undefined {
    return this.error;
  }

  /** What `work` gives, unless the upload is ended before. */
  orEnded<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.error) reject(this.error);
      this.waiting.add(reject);
      work.then(resolve, reject).finally(() => this.waiting.delete(reject));
    });
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
    this.options.client.removeEventListener('abort', this.onGone);
    this.options.ending.removeEventListener('abort', this.onEnding);
  }

  private look(): void {
    const { stalledMs, wholeMs } = this.options.limits;
    const now = performance.now();
    const { bytesRead } = this.request.socket;
    if (bytesRead !== this.seenBytes || !this.isSenderAwaited) {
      this.seenBytes = bytesRead;
      this.movedAt = now;
    } else if (now - this.movedAt >= stalledMs) {
      this.end(fail('UPLOAD_STALLED', { seconds: Math.ceil(stalledMs / 1000) }));
    }
    if (now - this.startedAt >= wholeMs && !this.request.complete) {
      this.end(fail('REQUEST_TIMEOUT'));
    }
  }

  /** Bytes that have come and were not taken yet mean that it is the server who is slow. */
  private get isSenderAwaited(): boolean {
    return !this.request.complete && this.request.readableLength === 0;
  }

  private end(error: AppError): void {
    if (this.error) return;
    this.error = error;
    for (const reject of this.waiting) reject(error);
    this.controller.abort(error);
  }
}
