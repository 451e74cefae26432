// The other processes of the deployment, as far as their last words say: that they are there, and the names of the
// signals that they await.

const heartbeatMs = 5_000;
/** A process without a word for this long is gone. */
const goneMs = 15_000;
/** The channel on which processes say that they are there. */
const channel = 'nodes';

/** How processes talk to each other. */
export interface Transport {
  /** Resolves with whether it was sent; never rejects. */
  readonly send: (channel: string, data: unknown) => Promise<boolean>;
  readonly subscribe: (channel: string, listener: (data: unknown) => void) => () => void;
}

interface ProcessAnnouncement {
  readonly node: string;
  readonly isLeaving: boolean;
  /** Absent in the words of a release that knows no signals. */
  readonly awaited?: readonly string[];
}

interface Seen {
  readonly at: number;
  readonly awaited: ReadonlySet<string>;
}

export class OtherProcesses {
  readonly #seen = new Map<string, Seen>();
  readonly #listeners = new Set<(node: string) => void>();
  /** The signals that this process awaits. */
  readonly #awaited = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #isAnnouncing = false;

  constructor(
    private readonly node: string,
    private readonly transport: Transport,
  ) {
    transport.subscribe(channel, (data) => this.#receive(data));
    this.#announce();
    this.#timer = setInterval(() => this.#announceAndForget(), heartbeatMs).unref();
  }

  get count(): number {
    return this.#seen.size;
  }

  onGone(listener: (node: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether another process awaits signals of this name. */
  isAwaited(name: string): boolean {
    for (const { awaited } of this.#seen.values()) if (awaited.has(name)) return true;
    return false;
  }

  /** Says at once that this process awaits a signal. */
  addAwaited(name: string): void {
    this.#awaited.add(name);
    if (this.#isAnnouncing) return;
    // Names that are added together go in one word.
    this.#isAnnouncing = true;
    setImmediate(() => {
      this.#isAnnouncing = false;
      this.#announce();
    });
  }

  /** Others learn of it with the next announcement: a signal too many costs little. */
  removeAwaited(name: string): void {
    this.#awaited.delete(name);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#send({ node: this.node, isLeaving: true });
  }

  #announce(): void {
    this.#send({ node: this.node, isLeaving: false, awaited: [...this.#awaited] });
  }

  #send(announcement: ProcessAnnouncement): void {
    void this.transport.send(channel, announcement);
  }

  #announceAndForget(): void {
    this.#announce();
    const now = performance.now();
    for (const [node, { at }] of this.#seen) if (now - at > goneMs) this.#forget(node);
  }

  #receive(data: unknown): void {
    // Only processes of this deployment publish here.
    const { node, isLeaving, awaited = [] } = data as ProcessAnnouncement;
    if (isLeaving) {
      this.#forget(node);
      return;
    }
    const isNew = !this.#seen.has(node);
    this.#seen.set(node, { at: performance.now(), awaited: new Set(awaited) });
    // A process that has just come learns at once that it is not alone.
    if (isNew) this.#announce();
  }

  #forget(node: string): void {
    if (!this.#seen.delete(node)) return;
    for (const listener of this.#listeners) listener(node);
  }
}
