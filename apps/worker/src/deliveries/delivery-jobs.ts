// The queue of deliveries: which project has some to send, and the times of schedules.
import type { Logger } from 'pino';

import { type JobQueue, type JobStore, openJobQueue } from '#libs/jobs';
import type { RuntimeDeps } from '#libs/project-runtime';

export const deliveriesQueue = 'deliveries';

export type DeliveryTask =
  | { readonly kind: 'deliver'; readonly ref: string }
  | { readonly kind: 'tick'; readonly ref: string; readonly scheduleId: string };

export type DeliveryJobs = JobQueue<DeliveryTask>;

/** Opens the queue of deliveries, to add jobs to it. */
export function openDeliveryJobs(store: JobStore, log: Logger): Promise<DeliveryJobs> {
  return openJobQueue<DeliveryTask>(store, deliveriesQueue, (err) =>
    log.warn({ err }, 'the queue of deliveries failed'),
  );
}

/** Keeps the times of schedules in the store of jobs. */
export function scheduleStore(jobs: DeliveryJobs): RuntimeDeps['schedules'] {
  return {
    save: (ref, { id, cron, timeZone }) => jobs.schedule(scheduleJob(ref, id), { cron, timeZone }),
    remove: (ref, id) => jobs.unschedule(scheduleJob(ref, id).id),
  };
}

export function scheduleJob(ref: string, id: string) {
  return { id: `${ref}.${id}`, data: { kind: 'tick', ref, scheduleId: id } } as const;
}
