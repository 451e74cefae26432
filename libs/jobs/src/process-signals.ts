// Signals without content between processes, such as "this project has written rows". They only save waiting: a process
// that misses one finds the same by itself a little later. One word carries the names of several signals, and a name that
// is signalled all the time goes less and less often: its receivers are awake.
import type { OtherProcesses, Transport } from './other-processes.js';

/** The least time between two words with signals, and between two signals of one name. */
const minGapMs = 20;
/** The pause of a name doubles with each signal that comes in it, up to this. */
const maxGapMs = 500;
/** The pause after a word that could not be sent. */
const retryMs = 1_000;
const channel = 'signals';

export class ProcessSignals {
  readonly #listeners = new Map<string, Set<() => void>>();
  /** Names in their pause, and whether they have been signalled in it. */
  readonly #paused = new Map<string, boolean>();
  /** Names for the next word. */
  readonly #waiting = new Set<string>();
  #isSending = false;
  #isClosed = false;

  constructor(
    private readonly others: OtherProcesses,
    private readonly transport: Transport,
  ) {
    transport.subscribe(channel, (data) => this.#receive(data));
  }

  /** Returns at once; a name that no other process awaits is not sent. */
  send(name: string): void {
    if (this.#isClosed || !this.others.isAwaited(name)) return;
    if (this.#paused.has(name)) this.#paused.set(name, true);
    else this.#sendAndPause(name, minGapMs);
  }

  /** Returns a function that ends it. */
  listen(name: string, listener: () => void): () => void {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
    this.others.addAwaited(name);
    return () => {
      if (!known.delete(listener) || known.size > 0) return;
      this.#listeners.delete(name);
      this.others.removeAwaited(name);
    };
  }

  /** Nothing is sent afterwards. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
  }

  #sendAndPause(name: string, gapMs: number): void {
    this.#waiting.add(name);
    if (!this.#isSending) void this.#sendWaiting();
    this.#paused.set(name, false);
    const end = (): void => {
      const isDue = this.#paused.get(name);
      this.#paused.delete(name);
      if (isDue && !this.#isClosed) this.#sendAndPause(name, Math.min(2 * gapMs, maxGapMs));
    };
    setTimeout(end, gapMs).unref();
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.size > 0 && !this.#isClosed) {
      const names = [...this.#waiting];
      this.#waiting.clear();
      const isSent = await this.transport.send(channel, names);
      const pauseMs = isSent ? minGapMs : retryMs;
      await new Promise<void>((resolve) => void setTimeout(resolve, pauseMs).unref());
    }
    this.#isSending = false;
  }

  #receive(data: unknown): void {
    // Only processes of this deployment publish here.
    for (const name of data as readonly string[]) {
      for (const listener of this.#listeners.get(name) ?? []) listener();
    }
  }
}
