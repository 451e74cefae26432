// Queues of jobs, over PostgreSQL by default and over Redis if several machines share one. BullMQ stores, schedules and
// repeats them; a job carries the id of a row, and the row records the result of the work.
import {
  createPostgresBackend,
  Queue as RedisQueue,
  type QueueOptions,
  withBackend,
  Worker as RedisWorker,
} from 'bullmq';

import { type JobStore, postgresConnection, withLastingConnection } from './job-store.js';

const lastingBackend: typeof createPostgresBackend = (...given) =>
  withLastingConnection(createPostgresBackend(...given));
const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(lastingBackend);

/** Adding a job is short; a worker renews locks while it fetches jobs, and listens on one more connection. */
const queueConnections = 1;
const workerConnections = 2;
const defaultLockMs = 30_000;
/** The pause before a worker tries the store again after a failure; BullMQ waits 15 seconds by default. */
const storeRetryMs = 1_000;
/** Jobs have no last attempt: a job ends when its `run` resolves. */
const maxAttempts = 2 ** 31 - 1;
const maxInterruptions = maxAttempts;
/** Prefix of the keys in Redis. */
const prefix = 'rowhouse';

export interface Job<Data> {
  /** Consists of digits, letters, dots, underscores and hyphens. A job whose id exists is not added again. */
  readonly id: string;
  readonly data: Data;
}

export interface CronTimes {
  /** With five fields, or with six of which the first are seconds. */
  readonly cron: string;
  /** An IANA time zone, such as `Europe/Paris`. */
  readonly timeZone: string;
}

export interface JobQueue<Data> {
  /** Adds a job that runs after `delayMs`; default at once. */
  add(job: Job<Data>, delayMs?: number): Promise<void>;
  /** Runs a job every `everyMs`, in one process at a time, from now on. Calling it again changes nothing. */
  repeat(job: Job<Data>, everyMs: number): Promise<void>;
  /**
   * Runs a job at the times of a cron expression, once for each, in place of its former times. Calling it again with the
   * same times changes nothing.
   */
  schedule(job: Job<Data>, times: CronTimes): Promise<void>;
  /** Ends the repetition of a job by its id. */
  unschedule(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface RunningJob {
  /** Of a scheduled job: its own for each time. */
  readonly id: string;
}

export interface WorkerOptions<Data> {
  /** How many jobs run at a time. */
  readonly concurrency: number;
  /** Does one job. If its promise is rejected, the job is tried again after the next of `retryDelaysMs`. */
  readonly run: (data: Data, signal: AbortSignal, job: RunningJob) => Promise<void>;
  /** Called with errors of the store and of jobs; both are tried again. */
  readonly onError: (error: Error, data?: Data) => void;
  /** How long a job stays with a process that has died, at most twice this time; default 30 seconds. */
  readonly lockMs?: number;
  /** The wait before each retry; the last value is used for all further ones. */
  readonly retryDelaysMs: readonly number[];
}

/**
 * Opens the queue `name`. Jobs survive restarts of the process and of the store. Rejects if the store cannot be
 * reached.
 */
export async function openJobQueue<Data extends object>(
  store: JobStore,
  name: string,
  onError: (error: Error) => void,
): Promise<JobQueue<Data>> {
  const queue = newQueue(store, name);
  let isClosing = false;
  queue.on('error', (error) => {
    if (!isClosing) onError(error);
  });
  await queue.waitUntilReady();
  return {
    async add({ id, data }, delayMs = 0) {
      await queue.add(name, data, { jobId: id, delay: delayMs });
    },
    async repeat({ id, data }, everyMs) {
      await queue.upsertJobScheduler(id, { every: everyMs }, { name, data });
    },
    async schedule({ id, data }, { cron, timeZone }) {
      const known = await queue.getJobScheduler(id);
      // Saving it again would drop a job whose time has come and that no worker has begun.
      if (known?.pattern === cron && known.tz === timeZone) return;
      await queue.upsertJobScheduler(id, { pattern: cron, tz: timeZone }, { name, data });
    },
    async unschedule(id) {
      await queue.removeJobScheduler(id);
    },
    async close() {
      isClosing = true;
      await queue.close();
    },
  };
}

/**
 * Runs the jobs of the queue `name` in this process, beside other processes that do the same. The returned function
 * aborts the signal of the running jobs and waits for them.
 */
export function runJobs<Data>(
  store: JobStore,
  name: string,
  { concurrency, run, onError, retryDelaysMs, lockMs = defaultLockMs }: WorkerOptions<Data>,
): () => Promise<void> {
  const stop = new AbortController();
  const options = {
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    runRetryDelay: storeRetryMs,
    maxStalledCount: maxInterruptions,
    settings: {
      backoffStrategy: (attempts: number) =>
        retryDelaysMs[attempts - 1] ?? retryDelaysMs.at(-1) ?? 0,
    },
  };
  const process = async ({ id = '', data }: { id?: string | undefined; data: Data }) =>
    run(data, stop.signal, { id });
  const worker =
    store.kind === 'redis'
      ? new RedisWorker<Data>(name, process, {
          ...options,
          connection: redisConnection(store.url),
          prefix,
        })
      : new PostgresWorker<Data>(name, process, {
          ...options,
          connection: postgresConnection(store.url, workerConnections),
        });
  worker.on('failed', (job, error) => {
    if (!stop.signal.aborted) onError(error, job?.data);
  });
  worker.on('error', (error) => {
    if (!stop.signal.aborted) onError(error);
  });
  return async () => {
    stop.abort();
    await worker.close();
  };
}

function newQueue(store: JobStore, name: string) {
  const defaultJobOptions: QueueOptions['defaultJobOptions'] = {
    attempts: maxAttempts,
    backoff: { type: 'custom' },
    // The row of the work records the result.
    removeOnComplete: true,
    removeOnFail: true,
  };
  return store.kind === 'redis'
    ? new RedisQueue<object>(name, {
        connection: redisConnection(store.url),
        defaultJobOptions,
        prefix,
      })
    : new PostgresQueue<object>(name, {
        connection: postgresConnection(store.url, queueConnections),
        defaultJobOptions,
      });
}

/** A worker waits while its store is unavailable. */
function redisConnection(url: string) {
  return { url, maxRetriesPerRequest: null };
}
