// Sends deliveries where projects are served: their functions and settings are there.
import type { Logger } from 'pino';

import { AppError } from '#libs/errors';
import { type JobStore, runJobs } from '#libs/jobs';
import type { ProjectRegistry, ProjectRuntime } from '#libs/project-runtime';

import {
  deliveriesQueue,
  type DeliveryJobs,
  type DeliveryTask,
  scheduleJob,
} from './delivery-jobs.js';

const deliverersAtOnce = 8;
const retryDelaysMs = [2_000, 5_000, 15_000];

interface DelivererParts {
  readonly jobStore: JobStore;
  readonly deliveryJobs: DeliveryJobs;
  readonly registry: ProjectRegistry<ProjectRuntime>;
  /** The host name of a project. */
  readonly hostOf: (ref: string) => string;
  readonly log: Logger;
}

/** Delivers in this process, which serves projects. The returned function stops it and waits for the jobs that run. */
export function startDeliverer(parts: DelivererParts): () => Promise<void> {
  const { jobStore, log } = parts;
  return runJobs<DeliveryTask>(jobStore, deliveriesQueue, {
    concurrency: deliverersAtOnce,
    retryDelaysMs,
    run: (task, _signal, { id }) => deliver(parts, task, id),
    onError: (err, task) => log.warn({ err, ...task }, 'deliveries could not be sent'),
  });
}

const unservable: ReadonlySet<string> = new Set(['PROJECT_PAUSED', 'PROJECT_SECRETS_UNREADABLE']);

/** BullMQ ends the id of a scheduled job with its time in milliseconds. */
const timeIn = (jobId: string): string => jobId.split(':').at(-1) ?? jobId;

async function deliver(
  { registry, hostOf, deliveryJobs }: DelivererParts,
  task: DeliveryTask,
  jobId: string,
): Promise<void> {
  try {
    using lease = await registry.acquire(hostOf(task.ref));
    const { deliveries } = lease.value;
    if (task.kind === 'tick') await deliveries.tick(task.scheduleId, timeIn(jobId));
    await deliveries.drain();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code } = error;
    if (code === 'PROJECT_NOT_FOUND' && task.kind === 'tick') {
      await deliveryJobs.unschedule(scheduleJob(task.ref, task.scheduleId).id);
    } else if (code !== 'PROJECT_NOT_FOUND' && !unservable.has(code)) throw error;
  }
}
