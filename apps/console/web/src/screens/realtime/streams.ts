// The streams behind the listeners of the inspector. All listeners are in one request, whose answer lasts a minute at
// most. The next stream is open before the last one ends, and takes over each listener as soon as it has joined there;
// from the cursors of the changes on, nothing is missed.
import { asProblem, unreachable } from '../../api/problem.js';
import type { listenerBody } from './listener.js';
import { type InspectorEvent, openStream } from './stream.js';

/** A listener that is to be joined. */
export interface Wanted {
  readonly id: number;
  readonly body: ReturnType<typeof listenerBody>;
}

export interface StreamsOwner {
  /** Those that are neither refused nor ended. */
  wanted(): readonly Wanted[];
  onEvent(id: number, event: InspectorEvent): void;
  /** Why nothing is received; undefined: it is well again. */
  onProblem(problem: unknown): void;
}

/** A stream is opened again before the server ends it. */
const renewMs = 50_000;
/** Pauses before the tries after a lost connection; the last one stays. */
const retryMs = [500, 2_000, 5_000, 10_000] as const;

interface Run {
  /** The listeners in the order of the request. */
  readonly ids: readonly number[];
  readonly abort: AbortController;
  /** Listeners that have neither joined nor been refused. */
  readonly waiting: Set<number>;
}

export class Streams {
  readonly #runs = new Set<Run>();
  /** The stream from which the frames of a listener are taken. */
  readonly #source = new Map<number, Run>();
  #newest: Run | undefined;
  #failures = 0;
  #timer: number | undefined;

  constructor(
    private readonly ref: string,
    private readonly owner: StreamsOwner,
  ) {}

  /** Opens a stream with what is wanted now; those that are open end when it has taken over. */
  open(): void {
    window.clearTimeout(this.#timer);
    this.owner.onProblem(undefined);
    const wanted = this.owner.wanted();
    if (wanted.length === 0) {
      this.close();
      return;
    }
    const ids = wanted.map(({ id }) => id);
    const run = { ids, abort: new AbortController(), waiting: new Set(ids) };
    this.#runs.add(run);
    this.#newest = run;
    const listeners = wanted.map(({ body }) => body);
    openStream(this.ref, { listeners }, run.abort.signal, (event) => this.#take(run, event)).then(
      () => this.#ended(run),
      (error: unknown) => this.#failed(run, error),
    );
  }

  /** Opens one at once after a problem. */
  retry(): void {
    this.#failures = 0;
    this.open();
  }

  /** Takes nothing more for a listener. */
  drop(id: number): void {
    this.#source.delete(id);
  }

  close(): void {
    window.clearTimeout(this.#timer);
    for (const run of this.#runs) run.abort.abort();
    this.#runs.clear();
    this.#source.clear();
    this.#newest = undefined;
  }

  #ended(run: Run): void {
    // A stream that ends before its listeners are joined has broken off.
    if (run.waiting.size > 0) {
      this.#failed(run, unreachable());
      return;
    }
    this.#runs.delete(run);
    if (run === this.#newest) this.open();
  }

  #failed(run: Run, error: unknown): void {
    this.#runs.delete(run);
    if (run.abort.signal.aborted || run !== this.#newest) return;
    this.owner.onProblem(error);
    const { status } = asProblem(error);
    const isPassing = status === 0 || status === 429 || status >= 500;
    const pause = retryMs[Math.min(this.#failures, retryMs.length - 1)];
    this.#failures += 1;
    if (isPassing) this.#timer = window.setTimeout(() => this.open(), pause);
  }

  #take(run: Run, event: InspectorEvent): void {
    const id = run.ids[event.listener];
    if (id === undefined) return;
    switch (event.kind) {
      case 'joined':
        this.#failures = 0;
        this.#source.set(id, run);
        this.owner.onEvent(id, event);
        this.#answered(run, id);
        break;
      case 'refused':
        if (event.event !== 'rt:track') this.#source.delete(id);
        this.owner.onEvent(id, event);
        this.#answered(run, id);
        break;
      case 'ended':
      case 'frame':
        if (this.#source.get(id) === run) this.owner.onEvent(id, event);
        break;
    }
  }

  /** Once all listeners of a stream have their answer, it has taken over. */
  #answered(run: Run, id: number): void {
    if (!run.waiting.delete(id) || run !== this.#newest || run.waiting.size > 0) return;
    for (const former of this.#runs) {
      if (former === run) continue;
      former.abort.abort();
      this.#runs.delete(former);
    }
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.open(), renewMs);
  }
}
