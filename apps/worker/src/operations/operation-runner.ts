// Runs the operations on projects that are due: creations, deletions, migrations, repairs and sweeps. Each is a row of
// the control plane, and a job of the queue `projects` in any process of the deployment.
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import {
  ensureMigrated,
  getProjectRecord,
  type OperationAttempt,
  recordSize,
  runOperation,
  type SweepResult,
} from '#libs/control-plane';
import { withProjectDatabase } from '#libs/database';
import { type Job, type JobQueue, openJobQueue, runJobs } from '#libs/jobs';
import { measureProject } from '#libs/project-runtime';

import { basisOf, findQuietDays, sweepProject } from '../sweeps/project-sweep.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';

const queueName = 'projects';
/** Four of them can be sweeps, migrations or repairs; the others are there for creations and deletions. */
const jobsAtATime = 6;
/** For a job that cannot reach the control plane; later failures are planned by their operation. */
const retryDelaysMs = [5_000, 15_000, 60_000];

export interface OperationTask {
  readonly kind: 'operation';
  readonly id: string;
}

@Injectable()
export class OperationRunner implements OnModuleDestroy {
  #queue: JobQueue<OperationTask> | undefined;
  #stopJobs: (() => Promise<void>) | undefined;

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {}

  /** Rejects when the store of jobs cannot be reached. */
  async start(): Promise<void> {
    const { jobStore, log } = this.deps;
    this.#queue = await openJobQueue<OperationTask>(jobStore, queueName, (err) =>
      log.warn({ err }, 'the queue of projects failed'),
    );
    // The hourly round of earlier releases, which is a duty now.
    await this.#queue.unschedule('round');
    this.#stopJobs = runJobs<OperationTask>(jobStore, queueName, {
      concurrency: jobsAtATime,
      retryDelaysMs,
      run: (task, signal) => this.#run(task, signal),
      onError: (err, task) => log.warn({ err, task }, 'a job of the queue of projects failed'),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#stopJobs?.();
    await this.#queue?.close();
  }

  async add(job: Job<OperationTask>): Promise<void> {
    await this.#queue?.add(job);
  }

  async #run({ kind, id }: OperationTask, signal: AbortSignal): Promise<void> {
    // Earlier releases have other tasks in this queue, too.
    if (kind !== 'operation') return;
    const { projects, deployment, log } = this.deps;
    const attempt = await runOperation(
      projects,
      id,
      (ref, isUnchanged) => this.#sweep(ref, isUnchanged, signal),
      (ref) => basisOf(deployment, ref),
    );
    if (attempt) report(log, attempt);
  }

  async #sweep(
    ref: string,
    isUnchanged: boolean,
    signal: AbortSignal,
  ): Promise<SweepResult | undefined> {
    const { projects, log, deployment } = this.deps;
    const record = await getProjectRecord(projects, ref);
    if (!record) return undefined;
    if (record.migratedTo !== projects.release.hash) await ensureMigrated(projects, ref);
    const { swept, days, size } = await withProjectDatabase(record, async (db) => {
      const swept = await sweepProject({ projects, log, deployment, signal }, record, db);
      return {
        swept,
        // A project in use changes before the next sweep.
        days: isUnchanged && !swept ? await findQuietDays(deployment, ref, db) : undefined,
        size: await measureProject(db).catch((err: unknown) => {
          log.warn({ err, ref }, 'a project could not be measured');
          return undefined;
        }),
      };
    });
    if (size) await recordSize(projects.dataSource, ref, size);
    if (swept && Object.values(swept).some((count) => count > 0))
      log.debug({ ref, ...swept }, 'swept');
    return { quietDays: days };
  }
}

function report(log: WorkerDeps['log'], { operation, outcome, error }: OperationAttempt): void {
  const { kind, ref, attempts } = operation;
  if (outcome === 'failed') {
    log.error({ kind, ref, attempts, err: error }, 'work on a project failed; it is tried again');
  } else if (outcome === 'done' && kind === 'migrate') {
    log.info({ ref }, 'project migrated');
  } else if (outcome === 'done' && (kind !== 'sweep' || attempts > 1)) {
    log.info({ kind, ref, attempts }, 'work on a project is done');
  }
}
