// The worker's tasks on projects: unfinished creations and deletions, projects of an earlier release, and sweeps. Each
// task is an operation of the control plane; jobs of the queue `projects` run those that are due, in any process of the
// deployment.
import type { Logger } from 'pino';

import {
  dropLeftoverLogins,
  ensureMigrated,
  getProjectRecord,
  listRunning,
  type OperationAttempt,
  planSweeps,
  planUnfinished,
  type ProjectsContext,
  recordSize,
  runOperation,
  type SweepResult,
  tidyServer,
  trimUsage,
} from '#libs/control-plane';
import { type JobStore, openJobQueue, runJobs } from '#libs/jobs';
import { measureProject } from '#libs/project-runtime';

import { startDueOperations, type ProjectTask } from './due-operations.js';
import type { Env } from './env.js';
import { withProjectDatabase } from './project-access.js';
import { basisOf, findQuietDays, type SweepParts, sweepProject } from './project-sweep.js';

const queueName = 'projects';
const roundIntervalMs = 60 * 60 * 1000;
/** A store that has lost its jobs has lost the repeated one, too. */
const roundRenewalMs = 10 * 60 * 1000;
/** Four of them can be sweeps, migrations or repairs; the others are there for creations and deletions. */
const jobsAtATime = 6;
/** For a job that cannot reach the control plane; later failures are planned by their operation. */
const retryDelaysMs = [5_000, 15_000, 60_000];

interface MaintenanceParts {
  readonly env: Env;
  readonly projects: ProjectsContext;
  readonly log: Logger;
}

/**
 * Starts the work of this process. The returned function stops it and waits for the jobs that run. Rejects when the
 * store of jobs cannot be reached.
 */
export async function startMaintenance(
  parts: MaintenanceParts & { readonly jobStore: JobStore },
): Promise<() => Promise<void>> {
  const { jobStore, projects, log } = parts;
  const queue = await openJobQueue<ProjectTask>(jobStore, queueName, (err) =>
    log.warn({ err }, 'the queue of projects failed'),
  );
  // One of all processes runs it.
  const repeatRound = () => queue.repeat({ id: 'round', data: { kind: 'round' } }, roundIntervalMs);
  try {
    await queue.add({ id: `start-${process.pid}-${Date.now()}`, data: { kind: 'start' } });
    await repeatRound();
  } catch (error) {
    await queue.close(); // The start is tried again, and opens another one.
    throw error;
  }
  const stopJobs = runJobs<ProjectTask>(jobStore, queueName, {
    concurrency: jobsAtATime,
    retryDelaysMs,
    run: (task, signal) => runTask({ ...parts, signal }, task),
    onError: (err, task) => log.warn({ err, task }, 'a job of the queue of projects failed'),
  });
  const renewal = setInterval(() => {
    repeatRound().catch((err: unknown) => log.warn({ err }, 'the hourly round was not renewed'));
  }, roundRenewalMs);
  renewal.unref();
  const stopDue = startDueOperations(projects, queue, log);
  return async () => {
    clearInterval(renewal);
    await stopDue();
    await stopJobs();
    await queue.close();
  };
}

async function runTask(parts: SweepParts, task: ProjectTask): Promise<void> {
  const { projects } = parts;
  switch (task.kind) {
    case 'start':
      await planUnfinished(projects);
      await dropLogins(parts);
      await tidy(parts);
      return;
    case 'round':
      await planUnfinished(projects);
      await planSweeps(projects);
      await trimUsage(projects.dataSource);
      await tidy(parts);
      return;
    case 'logins':
      await dropLogins(parts);
      return;
    case 'operation': {
      const attempt = await runOperation(
        projects,
        task.id,
        (ref, isUnchanged) => sweepRef(parts, ref, isUnchanged),
        (ref) => basisOf(parts.env, ref),
      );
      if (attempt) report(parts.log, attempt);
    }
  }
}

function report(log: Logger, { operation, outcome, error }: OperationAttempt): void {
  const { kind, ref, attempts } = operation;
  if (outcome === 'failed') {
    log.error({ kind, ref, attempts, err: error }, 'work on a project failed; it is tried again');
  } else if (outcome === 'done' && kind === 'migrate') {
    log.info({ ref }, 'project migrated');
  } else if (outcome === 'done' && (kind !== 'sweep' || attempts > 1)) {
    log.info({ kind, ref, attempts }, 'work on a project is done');
  }
}

async function dropLogins({ projects, log }: Pick<MaintenanceParts, 'projects' | 'log'>) {
  const waiting = await dropLeftoverLogins(projects, (databaseId, err) =>
    log.error({ databaseId, err }, 'the logins of a deleted project could not be dropped'),
  );
  if (waiting.length > 0) {
    log.warn({ waiting }, 'logins of deleted projects wait for the lock of another project');
  }
}

async function tidy({ projects, log }: Pick<MaintenanceParts, 'projects' | 'log'>): Promise<void> {
  await tidyServer(projects, await listRunning(projects), (part, err) =>
    log.warn({ part, err }, 'a part of the database server could not be tidied; it is tried again'),
  );
}

async function sweepRef(
  parts: SweepParts,
  ref: string,
  isUnchanged: boolean,
): Promise<SweepResult | undefined> {
  const { projects, log, env } = parts;
  const record = await getProjectRecord(projects, ref);
  if (!record) return undefined;
  if (record.migratedTo !== projects.release.hash) await ensureMigrated(projects, ref);
  const { swept, days, size } = await withProjectDatabase(record, async (db) => {
    const swept = await sweepProject(parts, record, db);
    return {
      swept,
      // A project in use changes before the next sweep.
      days: isUnchanged && !swept ? await findQuietDays(env, ref, db) : undefined,
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
