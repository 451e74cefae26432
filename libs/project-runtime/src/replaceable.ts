// A value that can be replaced while it is in use. A lease keeps the value that it was taken for; a replaced value is
// closed when its last lease ends (spec: "Requests already in flight keep the handler they started with").

/** A temporary right to use a value. Release it once, e.g. with `using`. */
export interface Lease<T> extends Disposable {
  readonly value: T;
  release(): void;
}

/** A built value that can replace the current one. */
export interface Candidate {
  /** Puts the candidate in place, at once. */
  swap(): void;
  /** Closes the candidate instead. */
  discard(): Promise<void>;
}

type Close<T> = (value: T) => void | Promise<void>;

/** One version of the value with its leases. */
class Held<T> {
  private leases = 0;
  private isRetired = false;

  constructor(
    readonly value: T,
    private readonly close: Close<T>,
    private readonly onCloseError: (error: unknown) => void,
  ) {}

  acquire(): Lease<T> {
    this.leases += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.leases -= 1;
      this.closeWhenFree();
    };
    return { value: this.value, release, [Symbol.dispose]: release };
  }

  retire(): void {
    this.isRetired = true;
    this.closeWhenFree();
  }

  private closeWhenFree(): void {
    if (!this.isRetired || this.leases > 0) return;
    Promise.resolve()
      .then(() => this.close(this.value))
      .catch(this.onCloseError);
  }
}

export interface ReplaceableOptions<T> {
  /** Builds a value. If it rejects, the current value stays in place. */
  readonly build: () => Promise<T>;
  readonly close: Close<T>;
  /** Name of the value, for the log. */
  readonly name: string;
  /** Logs a failure that no caller waits for. */
  readonly onError: (error: unknown, doing: string) => void;
}

/** Holds one replaceable value, built on first use. */
export class Replaceable<T> {
  private current: Held<T> | undefined;
  private opening: Promise<Held<T>> | undefined;
  private rebuilding: Promise<void> | undefined;
  private isRebuildWanted = false;
  private hasFailed = false;
  private isClosed = false;

  constructor(private readonly options: ReplaceableOptions<T>) {}

  /** Whether there is a value, or the first one is being built. */
  get isBuilt(): boolean {
    return this.current !== undefined || this.opening !== undefined;
  }

  /** Whether the last rebuild has failed, so that the value is older than what it is built from. */
  get isStale(): boolean {
    return this.hasFailed;
  }

  /** Returns a lease on the current value. Simultaneous first users share one build. */
  async acquire(): Promise<Lease<T>> {
    const held = this.current ?? (await this.open());
    return held.acquire();
  }

  /** Returns the current value for a use that ends before the next await, or undefined before the first build. */
  peek(): T | undefined {
    return this.current?.value;
  }

  /** Builds a successor with `build`; the caller decides when it takes the place. */
  async prepare(build: () => Promise<T>): Promise<Candidate> {
    const held = this.hold(await build());
    return {
      swap: () => this.replace(held),
      discard: async () => this.options.close(held.value),
    };
  }

  /**
   * Builds the value again and puts it in place. Calls during a build share the following build. Does nothing if no
   * value was built yet: the first use sees the new state.
   */
  rebuild(): Promise<void> {
    if (!this.isBuilt) return Promise.resolve();
    this.isRebuildWanted = true;
    this.rebuilding ??= this.rebuildWhileWanted()
      .catch((error: unknown) => {
        this.hasFailed = true;
        throw error;
      })
      .finally(() => {
        this.rebuilding = undefined;
      });
    return this.rebuilding;
  }

  /** Like {@link rebuild}, but not awaited. A failure is logged and leaves the value in place. */
  rebuildSoon(): void {
    const { name, onError } = this.options;
    this.rebuild().catch((error: unknown) => onError(error, `rebuild ${name}`));
  }

  /** Closes the value when its last lease ends. */
  close(): void {
    this.isClosed = true;
    this.current?.retire();
    this.current = undefined;
  }

  private hold(value: T): Held<T> {
    const { close, name, onError } = this.options;
    return new Held<T>(value, close, (error) => onError(error, `close ${name}`));
  }

  private open(): Promise<Held<T>> {
    this.opening ??= this.buildFirst().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async buildFirst(): Promise<Held<T>> {
    const held = this.hold(await this.options.build());
    if (this.current) {
      // A newer value was put in place meanwhile.
      held.retire();
      return this.current;
    }
    this.replace(held);
    return held;
  }

  private async rebuildWhileWanted(): Promise<void> {
    await this.opening;
    // One build after the other: a later build sees the later state.
    while (this.isRebuildWanted && !this.isClosed) {
      this.isRebuildWanted = false;
      const before = this.current;
      const candidate = await this.prepare(this.options.build);
      if (this.current === before) {
        candidate.swap();
      } else {
        // Another value was put in place meanwhile, and this one may be older: build again.
        this.isRebuildWanted = true;
        await candidate.discard();
      }
    }
  }

  private replace(next: Held<T>): void {
    this.current?.retire();
    if (this.isClosed) {
      next.retire();
      return;
    }
    this.current = next;
    this.hasFailed = false;
  }
}
