// Queues of jobs, over PostgreSQL by default and over Redis when several machines share one. BullMQ keeps,
// schedules and repeats them; a job carries the id of a row, and the row says what became of the work.
import {
  createPostgresBackend,
  Queue as RedisQueue,
  type QueueOptions,
  withBackend,
  Worker as RedisWorker,
} from 'bullmq';

import { type JobStore, postgresConnection, withLastingListener } from './job-store.js';

const lastingBackend: typeof createPostgresBackend = (...given) =>
  withLastingListener(createPostgresBackend(...given));
const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(lastingBackend);

/** Adding is short; a worker renews locks beside the jobs that it fetches, and listens on one more connection. */
const queueConnections = 1;
const workerConnections = 2;
/** How long a job stays with a process that has died, at most twice this. */
const lockMs = 30_000;
/** A job is never given up: it is over when its `run` resolves. */
const maxAttempts = 2 ** 31 - 1;
const maxInterruptions = maxAttempts;
/** Begins the names of keys in Redis. */
const prefix = 'rowhouse';

export interface Job<Data> {
  /** Of digits, letters, dots, underscores and hyphens. A job whose id is known is not added again. */
  readonly id: string;
  readonly data: Data;
}

export interface JobQueue<Data> {
  /** Adds a job that runs after `delayMs`; default at once. */
  add(job: Job<Data>, delayMs?: number): Promise<void>;
  /** Runs a job every `everyMs`, in one process at a time, from now on. Calling it again changes nothing. */
  repeat(job: Job<Data>, everyMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface WorkerOptions<Data> {
  /** Jobs at a time. */
  readonly concurrency: number;
  /** Does one job. A job whose promise is rejected is tried again, after the next of `retryDelaysMs`. */
  readonly run: (data: Data, signal: AbortSignal) => Promise<void>;
  /** Called with faults of the store and of jobs; both are tried again. */
  readonly onError: (error: Error, data?: Data) => void;
  /** How long to wait before each retry; the last one holds for all that follow. */
  readonly retryDelaysMs: readonly number[];
}

/**
 * Opens the queue `name`. Jobs survive restarts of the process and of the store. Resolves when the store can be
 * reached, and rejects when it cannot.
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
    async close() {
      isClosing = true;
      await queue.close();
    },
  };
}

/**
 * Runs the jobs of the queue `name` in this process, beside others that do the same. The function that it returns
 * aborts the signal of those that run and waits for them.
 */
export function runJobs<Data>(
  store: JobStore,
  name: string,
  { concurrency, run, onError, retryDelaysMs }: WorkerOptions<Data>,
): () => Promise<void> {
  const stop = new AbortController();
  const options = {
    concurrency,
    lockDuration: lockMs,
    maxStalledCount: maxInterruptions,
    settings: {
      backoffStrategy: (attempts: number) =>
        retryDelaysMs[attempts - 1] ?? retryDelaysMs.at(-1) ?? 0,
    },
  };
  const process = async ({ data }: { data: Data }) => run(data, stop.signal);
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
    // The row of the work says how it went.
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

/** A worker waits for its store for as long as it is away. */
function redisConnection(url: string) {
  return { url, maxRetriesPerRequest: null };
}
