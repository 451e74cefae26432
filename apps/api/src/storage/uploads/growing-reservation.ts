// Room for content of unknown length: reserved in steps, a little ahead of the bytes, which wait for it. Near a
// limit the steps become as small as what has come, so that whatever fits is taken.
import { AppError } from '#libs/errors';

/** The first step, in bytes. */
const smallStepBytes = 1 << 20;
/** The largest step that is reserved ahead of content of unknown length. */
const largeStepBytes = 8 << 20;

export interface GrowthOptions {
  /** Reserves this many more bytes; rejects if there is no space for them. */
  readonly extend: (bytes: number) => Promise<void>;
  readonly reservedBytes: number;
  /** More than this cannot come; undefined when the sender may send anything. */
  readonly upperBound: number | undefined;
}

export class GrowingReservation {
  private reservedBytes: number;
  private usedBytes = 0;
  private step: Promise<void> | undefined;
  /** Large steps are tried first, then small ones, then what is missing. */
  private room: 'ample' | 'scarce' | 'tight' = 'ample';
  private error: unknown;

  constructor(private readonly options: GrowthOptions) {
    this.reservedBytes = options.reservedBytes;
  }

  /** The chunks, each of them once there is room for it. Rejects with what `extend` rejects with. */
  async *within(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.growAhead();
    for await (const chunk of chunks) {
      this.usedBytes += chunk.length;
      this.growAhead();
      await this.coverUsed();
      yield chunk;
    }
  }

  /** Waits for a step that is under way. Never rejects. */
  async settled(): Promise<void> {
    await this.step;
  }

  private async coverUsed(): Promise<void> {
    while (this.usedBytes > this.reservedBytes) {
      if (this.step) await this.step;
      else {
        const missing = this.usedBytes - this.reservedBytes;
        await this.options.extend(missing);
        this.reservedBytes += missing;
      }
      if (this.error !== undefined) throw this.error;
    }
  }

  private growAhead(): void {
    if (this.step || this.room === 'tight' || this.error !== undefined) return;
    const { upperBound = Infinity, extend } = this.options;
    const wanted = this.stepBytes();
    const bytes = Math.min(wanted, upperBound - this.reservedBytes);
    const ahead = this.reservedBytes - this.usedBytes;
    if (bytes <= 0 || ahead > Math.min(wanted, largeStepBytes) / 2) return;
    this.step = extend(bytes)
      .then(() => {
        this.reservedBytes += bytes;
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.status === 413)) this.error = error;
        // A limit is near: what has come may still fit.
        else if (bytes > smallStepBytes) this.room = 'scarce';
        else this.room = 'tight';
      })
      .finally(() => {
        this.step = undefined;
      });
  }

  private stepBytes(): number {
    if (this.room === 'scarce') return smallStepBytes;
    // All that can come, where that is known; else in proportion to what has come.
    if (this.options.upperBound !== undefined) return Infinity;
    return Math.min(Math.max(this.usedBytes / 2, smallStepBytes), largeStepBytes);
  }
}
