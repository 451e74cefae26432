// What the worker does again and again. A job scheduler of BullMQ for each interval makes one job at a time for the whole
// deployment; the process that takes it does all duties of that interval.
import { setTimeout as delay } from 'node:timers/promises';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { type JobQueue, openJobQueue, runJobs } from '#libs/jobs';

import { type WorkerDeps, workerDepsToken } from './worker-deps.js';

export interface Duty {
  /** How often it is done. */
  readonly everyMs: number;
  /** What the log says when it has failed. */
  readonly failure: string;
  run(signal: AbortSignal): Promise<void>;
  /** Comes before the first run of a process, and before the first after an outage: what others may have left. */
  resume?(): Promise<void>;
}

export const dutiesToken = Symbol('the duties of the worker');

const queueName = 'duties';
/** When a process starts, rarer duties only resume. */
const longestAtStartMs = 5 * 60_000;
/** A store that has lost its jobs has lost the schedulers, too. */
const renewalMs = 10 * 60_000;
/** Jobs have no retries: the next one comes anyway. */
const retryDelaysMs = [1_000];
/** What a process had begun that died goes on elsewhere after twice this time. */
const lockMs = 5_000;
/** Adding a job waits for as long as the store of jobs is away; a stop does not. */
const longestStopMs = 5_000;

interface DutyTask {
  readonly everyMs: number;
}

@Injectable()
export class DutyRunner implements OnModuleDestroy {
  readonly #running = new Map<Duty, Promise<void>>();
  /** Duties that resume with their next run. */
  readonly #resuming: Set<Duty>;
  /** Duties whose failure was said. */
  readonly #failing = new Set<Duty>();
  readonly #stop = new AbortController();
  #queue: JobQueue<DutyTask> | undefined;
  #stopJobs: (() => Promise<void>) | undefined;
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    @Inject(workerDepsToken) private readonly deps: WorkerDeps,
    @Inject(dutiesToken) private readonly duties: readonly Duty[],
  ) {
    this.#resuming = new Set(duties);
  }

  /** Rejects when the store of jobs cannot be reached. */
  async start(): Promise<void> {
    const { jobStore, log } = this.deps;
    const onError = (err: Error): void => {
      if (!this.#stop.signal.aborted) log.warn({ err }, 'the queue of duties failed');
      for (const duty of this.duties) this.#resuming.add(duty);
    };
    this.#queue = await openJobQueue<DutyTask>(jobStore, queueName, onError);
    await this.#schedule(this.#queue);
    this.#renewal = setInterval(() => this.#renew(), renewalMs).unref();
    this.#stopJobs = runJobs<DutyTask>(jobStore, queueName, {
      concurrency: this.#intervals.length,
      retryDelaysMs,
      lockMs,
      run: ({ everyMs }) => this.#runAll(this.duties.filter((duty) => duty.everyMs === everyMs)),
      onError,
    });
    void this.#runAll(this.duties, { isStart: true });
  }

  async onModuleDestroy(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#renewal);
    const ended = Promise.all([...this.#running.values(), this.#stopJobs?.()]);
    await Promise.race([ended, delay(longestStopMs, undefined, { ref: false })]);
    await this.#queue?.close();
  }

  get #intervals(): readonly number[] {
    return [...new Set(this.duties.map(({ everyMs }) => everyMs))];
  }

  async #schedule(queue: JobQueue<DutyTask>): Promise<void> {
    for (const everyMs of this.#intervals) {
      await queue.repeat({ id: `every-${everyMs}`, data: { everyMs } }, everyMs);
    }
  }

  #renew(): void {
    if (!this.#queue) return;
    this.#schedule(this.#queue).catch((err: unknown) =>
      this.deps.log.warn({ err }, 'the schedule of duties was not renewed'),
    );
  }

  /** Never rejects. A duty that still runs in this process is left out. */
  async #runAll(duties: readonly Duty[], { isStart = false } = {}): Promise<void> {
    const wanted = duties.filter((duty) => !this.#running.has(duty));
    await Promise.all(
      wanted.map((duty) => {
        const onlyResumes = isStart && duty.everyMs > longestAtStartMs;
        const run = this.#run(duty, onlyResumes).finally(() => this.#running.delete(duty));
        this.#running.set(duty, run);
        return run;
      }),
    );
  }

  async #run(duty: Duty, onlyResumes: boolean): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const mustResume = this.#resuming.delete(duty);
    try {
      if (mustResume) await duty.resume?.();
      if (!onlyResumes) await duty.run(signal);
      this.#failing.delete(duty);
    } catch (err) {
      this.#resuming.add(duty);
      if (signal.aborted || this.#failing.has(duty)) return;
      // Once for each outage.
      this.#failing.add(duty);
      this.deps.log.warn({ err }, duty.failure);
    }
  }
}
