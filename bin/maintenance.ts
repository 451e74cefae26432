// The worker's standing jobs: finish what a crash left half done, bring every project to this release,
// and sweep what has expired.
import type { Logger } from 'pino';

import { sweepExpired } from '#libs/auth-engine';
import {
  finishHalfDone,
  getProjectRecord,
  listRefs,
  migrateProjects,
  type ProjectsContext,
} from '#libs/control-plane';

import { withProjectDatabase } from './project-access.js';

const sweepIntervalMs = 60 * 60 * 1000;

interface MaintenanceParts {
  readonly projects: ProjectsContext;
  readonly log: Logger;
}

/** Starts the jobs. The function it gives back stops them and waits for the one that runs. */
export function startMaintenance(parts: MaintenanceParts): () => Promise<void> {
  const stop = new AbortController();
  let running = run('repair', () => repairProjects(parts, stop.signal), parts.log);
  const timer = setInterval(() => {
    running = running.then(() => run('sweep', () => sweepProjects(parts, stop.signal), parts.log));
  }, sweepIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}

async function run(name: string, job: () => Promise<void>, log: Logger): Promise<void> {
  try {
    await job();
  } catch (error) {
    log.error({ err: error }, `the job ${name} failed`);
  }
}

async function repairProjects({ projects, log }: MaintenanceParts, signal: AbortSignal) {
  const cleared = await finishHalfDone(projects);
  if (cleared.length > 0) log.info({ refs: cleared }, 'half-done projects were cleared');
  await migrateProjects(projects, {
    signal,
    onProgress: ({ ref, done, total, error }) => {
      if (error === undefined) log.info({ ref, done, total }, 'project migrated');
      else log.error({ ref, done, total, err: error }, 'project could not be migrated');
    },
  });
}

async function sweepProjects({ projects, log }: MaintenanceParts, signal: AbortSignal) {
  for (const ref of await listRefs(projects)) {
    if (signal.aborted) return;
    const record = await getProjectRecord(projects, ref);
    if (!record) continue;
    // One project after the other: sweeping is never urgent.
    const swept = await withProjectDatabase(record, (db) => sweepExpired(db.enginePool));
    if (swept.sessions + swept.verifications > 0) log.debug({ ref, ...swept }, 'swept');
  }
}
