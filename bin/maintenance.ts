// The worker's standing jobs: finish what a crash left half done, bring every project to this release,
// and sweep what has expired.
import type { Logger } from 'pino';

import { deliverDue, sweepDeliveries, sweepExpired } from '#libs/auth-engine';
import {
  dropLeftoverLogins,
  ensureMigrated,
  finishHalfDone,
  getProjectRecord,
  listRefs,
  migrateProjects,
  renoteMessages,
  type ProjectsContext,
} from '#libs/control-plane';
import type { ProjectDatabase } from '#libs/database';
import { createOutbound } from '#libs/outbound';
import {
  hookCaller,
  listOverdue,
  type ProjectRecord,
  readProjectSettings,
  settingsSeal,
  sweepMessages,
} from '#libs/project-runtime';

import type { Env } from './env.js';
import { settingsFallbacks } from './project-address.js';
import { withProjectDatabase } from './project-access.js';
import { sweepProjectStorage } from './storage-sweeps.js';

const sweepIntervalMs = 60 * 60 * 1000;
/** How long deliveries of hooks can be looked up. */
const keepDeliveriesDays = 14;
/** How long mails and SMS can be looked up. */
const keepMessagesDays = 14;

type SweepParts = MaintenanceParts & { readonly signal: AbortSignal };

interface MaintenanceParts {
  readonly env: Env;
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
  await clearHalfDone({ projects, log });
  await migrateProjects(projects, {
    signal,
    onProgress: ({ ref, done, total, error }) => {
      if (error === undefined) log.info({ ref, done, total }, 'project migrated');
      else log.error({ ref, done, total, err: error }, 'project could not be migrated');
    },
  });
}

async function clearHalfDone({ projects, log }: Pick<MaintenanceParts, 'projects' | 'log'>) {
  const cleared = await finishHalfDone(projects, (ref, err) =>
    log.error({ ref, err }, 'a half-done project could not be cleared; it is tried again'),
  );
  if (cleared.length > 0) log.info({ refs: cleared }, 'half-done projects were cleared');
  const waiting = await dropLeftoverLogins(projects, (databaseId, err) =>
    log.error({ databaseId, err }, 'the logins of a deleted project could not be dropped'),
  );
  if (waiting.length > 0) {
    log.warn({ waiting }, 'logins of deleted projects wait for the lock of another project');
  }
}

async function sweepProjects(parts: MaintenanceParts, signal: AbortSignal) {
  const { projects } = parts;
  // Deletions that wait for a store to come back.
  await clearHalfDone(parts);
  for (const ref of await listRefs(projects)) {
    if (signal.aborted) return;
    const record = await getProjectRecord(projects, ref);
    if (!record) continue;
    // One project after the other: sweeping is never urgent.
    await sweepOrSay({ ...parts, signal }, record);
  }
}

/** A project that cannot be swept delays no other. */
async function sweepOrSay(parts: SweepParts, record: ProjectRecord): Promise<void> {
  const { projects, log } = parts;
  const { ref } = record;
  try {
    await ensureMigrated(projects, ref);
    const swept = await withProjectDatabase(record, (db) => sweepProject(parts, record, db));
    if (Object.values(swept).some((count) => count > 0)) log.debug({ ref, ...swept }, 'swept');
  } catch (error) {
    log.error({ err: error, ref }, 'a project could not be swept');
  }
}

/** Sweeps a project, and does the background work that waits although nobody uses it. */
async function sweepProject(
  { env, projects, log, signal }: SweepParts,
  record: ProjectRecord,
  db: ProjectDatabase,
) {
  const { ref } = record;
  const settings = await readProjectSettings({
    db,
    env: settingsFallbacks(env, ref),
    seal: settingsSeal(ref, record.dataKey),
  });
  const { keepDays: keepGuestsDays } = settings['auth.methods.anonymous'];
  const expired = await sweepExpired(db.enginePool, {
    keepGuestsDays,
    runDeletion: (id) => db.deleteUser(id),
  });
  const deliveries = await sweepDeliveries(db.enginePool, keepDeliveriesDays);
  const messages = await sweepMessages(db, keepMessagesDays);
  await renoteMessages(projects, ref, await listOverdue(db));
  const outbound = createOutbound({ allowedHosts: env.outboundAllowedHosts });
  const onError = (err: unknown, doing: string) => log.warn({ err, ref }, `failed: ${doing}`);
  const caller = hookCaller({ ref, db, outbound, now: Date.now, onError }, settings);
  const { succeeded } = await deliverDue(db.enginePool, caller);
  const files = await sweepProjectStorage(env, { record, db, settings, log, signal });
  return { ...expired, deliveries, delivered: succeeded, messages, ...files };
}
