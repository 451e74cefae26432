// Has the deliveries of projects sent that wait although no request has them sent: those of a process that died, those
// whose next attempt is due, and changes that were written without the platform. Workers look into the databases; a
// process that serves projects delivers. Ticks of schedules are jobs of their own.
import type { Logger } from 'pino';

import {
  getProjectRecord,
  noteAllDeliveries,
  planLook,
  type ProjectsContext,
  takeProjectsToLookAt,
} from '#libs/control-plane';
import { AppError } from '#libs/errors';
import { type JobQueue, type JobStore, openJobQueue, runJobs } from '#libs/jobs';
import {
  type ActiveSchedule,
  listActiveSchedules,
  lookAtDeliveries,
  type ProjectRegistry,
  type ProjectRuntime,
  type RuntimeDeps,
} from '#libs/project-runtime';

import { withProjectDatabase } from './project-access.js';

const looksQueue = 'looks';
const deliveriesQueue = 'deliveries';
const lookIntervalMs = 2_000;
/** Projects of one look; each takes a connection for some milliseconds. */
const projectsAtOnce = 200;
const databasesAtOnce = 4;
const deliverersAtOnce = 8;
const retryDelaysMs = [2_000, 5_000, 15_000];
/** A store that has lost its jobs has lost the schedules, too. */
const renewalMs = 10 * 60 * 1000;

interface LookTask {
  readonly kind: 'look';
}

export type DeliveryTask =
  | { readonly kind: 'deliver'; readonly ref: string }
  | { readonly kind: 'tick'; readonly ref: string; readonly scheduleId: string };

export type DeliveryJobs = JobQueue<DeliveryTask>;

interface Parts {
  readonly projects: ProjectsContext;
  readonly jobStore: JobStore;
  readonly deliveryJobs: DeliveryJobs;
  readonly log: Logger;
}

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

function scheduleJob(ref: string, id: string) {
  return { id: `${ref}.${id}`, data: { kind: 'tick', ref, scheduleId: id } } as const;
}

/**
 * Starts to look. The returned function stops it and waits for the look that runs. Rejects when the store of jobs or
 * the control plane cannot be reached.
 */
export async function startLooks(parts: Parts): Promise<() => Promise<void>> {
  const { jobStore, projects, log } = parts;
  const queue = await openJobQueue<LookTask>(jobStore, looksQueue, (err) =>
    log.warn({ err }, 'the queue of looks failed'),
  );
  const repeat = () => queue.repeat({ id: 'look', data: { kind: 'look' } }, lookIntervalMs);
  try {
    await noteAllDeliveries(projects);
    await repeat();
  } catch (error) {
    await queue.close(); // The start is tried again, and opens another one.
    throw error;
  }
  const renewal = setInterval(() => {
    repeat().catch((err: unknown) => log.warn({ err }, 'the looks were not renewed'));
  }, renewalMs);
  renewal.unref();
  const schedules = new PlannedSchedules(parts);
  const stopJobs = runJobs<LookTask>(jobStore, looksQueue, {
    concurrency: 1,
    retryDelaysMs,
    run: (_task, signal) => lookAtAll(parts, schedules, signal),
    onError: (err) => log.warn({ err }, 'projects could not be looked at for deliveries'),
  });
  return async () => {
    clearInterval(renewal);
    await stopJobs();
    await queue.close();
  };
}

async function lookAtAll(
  parts: Parts,
  schedules: PlannedSchedules,
  signal: AbortSignal,
): Promise<void> {
  const refs = [...(await takeProjectsToLookAt(parts.projects, projectsAtOnce))];
  const workers = Array.from({ length: databasesAtOnce }, async () => {
    for (let ref = refs.pop(); ref !== undefined && !signal.aborted; ref = refs.pop()) {
      await lookAt(parts, schedules, ref).catch((err: unknown) =>
        parts.log.warn({ err, ref }, 'a project could not be looked at for deliveries'),
      );
    }
  });
  await Promise.all(workers);
}

async function lookAt(
  { projects, deliveryJobs }: Parts,
  planned: PlannedSchedules,
  ref: string,
): Promise<void> {
  const record = await getProjectRecord(projects, ref);
  // A project of another release is looked at when it was migrated.
  if (record?.migratedTo !== projects.release.hash) return;
  const { look, schedules } = await withProjectDatabase(record, async (db) => ({
    look: await lookAtDeliveries(db),
    schedules: planned.areOld(ref) ? await listActiveSchedules(db) : undefined,
  }));
  if (schedules) await planned.plan(ref, schedules);
  if (look.isDue) {
    await deliveryJobs.add({ id: `${ref}.${Date.now()}`, data: { kind: 'deliver', ref } });
  }
  await planLook(projects, ref, look.nextSeconds);
}

/** Keeps the schedules of projects in the store of jobs, as the databases have them. */
class PlannedSchedules {
  readonly #plannedAt = new Map<string, number>();

  constructor(private readonly parts: Pick<Parts, 'deliveryJobs'>) {}

  areOld(ref: string): boolean {
    return Date.now() - (this.#plannedAt.get(ref) ?? -Infinity) > renewalMs;
  }

  async plan(ref: string, schedules: readonly ActiveSchedule[]): Promise<void> {
    const store = scheduleStore(this.parts.deliveryJobs);
    for (const schedule of schedules) await store.save(ref, schedule);
    this.#plannedAt.set(ref, Date.now());
  }
}

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
