// The sweep of one project: background work that is due although no request uses the project. One statement first finds
// out whether there is any, because most projects are idle most of the time.
import { sweepExpired } from '#libs/auth-engine';
import { noteDeliveries, renoteMessages } from '#libs/control-plane';
import type { ProjectDatabase } from '#libs/database';
import { sweepDeliveries } from '#libs/outbox';
import {
  type DueSweep,
  findDueAfter,
  listOverdue,
  type ProjectRecord,
  ProjectSettings,
  quietDays,
  settingsSeal,
  sweepForm,
  sweepFunctions,
  sweepMessages,
  trimChanges,
} from '#libs/project-runtime';
import { resolveAll } from '#libs/settings';
import { hasLocalFiles } from '#libs/storage-driver';

import type { Deployment, WorkerDeps } from '../worker-deps.js';
import { sweepProjectStorage } from './storage-sweep.js';

/** How long deliveries of hooks and triggers, and runs of schedules, can be looked up. */
const keepDeliveriesDays = 14;
/** How long mails and SMS can be looked up. */
const keepMessagesDays = 14;

export interface SweepParts extends Pick<WorkerDeps, 'deployment' | 'projects' | 'log'> {
  readonly signal: AbortSignal;
}

/** Sweeps a project if something is due, and returns the results by kind; undefined if nothing was due. */
export async function sweepProject(parts: SweepParts, record: ProjectRecord, db: ProjectDatabase) {
  return (await isDue(parts, record, db)) ? sweepAll(parts, record, db) : undefined;
}

async function isDue(
  { deployment }: SweepParts,
  { ref }: ProjectRecord,
  db: ProjectDatabase,
): Promise<boolean> {
  // Interrupted uploads and restored backups leave files without any row.
  return (
    (await findDue(deployment, ref, db)).length > 0 ||
    hasLocalFiles(deployment.storageOf(ref).folder)
  );
}

/** Returns the kinds of work that are due for the project `ref` by its rows, `days` from now. */
export function findDue(
  deployment: Deployment,
  ref: string,
  db: ProjectDatabase,
  days = 0,
): Promise<readonly DueSweep[]> {
  return findDueAfter(db, days, limitsOf(deployment, ref));
}

/** Returns for how many days no work becomes due by the rows of the project; undefined if some does. */
export async function findQuietDays(
  deployment: Deployment,
  ref: string,
  db: ProjectDatabase,
): Promise<number | undefined> {
  const due = await findDue(deployment, ref, db, quietDays);
  return due.length === 0 ? quietDays : undefined;
}

/** What decides besides the rows of a project whether work is due; undefined if it is in any case. */
export async function basisOf(deployment: Deployment, ref: string): Promise<string | undefined> {
  if (await hasLocalFiles(deployment.storageOf(ref).folder)) return undefined;
  const { fallback } = limitsOf(deployment, ref);
  const { keepDays } = fallback['auth.methods.anonymous'];
  const { driver } = fallback.storage;
  const { logDays } = fallback.functions;
  const basis = [sweepForm, keepDays, driver, keepDeliveriesDays, keepMessagesDays, logDays];
  return basis.join(' ');
}

function limitsOf(deployment: Deployment, ref: string) {
  // No sweep depends on the mail server.
  const fallback = resolveAll({}, deployment.fallbacksOf({ ref, isAdministered: false }));
  return { fallback, keepDeliveriesDays, keepMessagesDays };
}

async function sweepAll(
  { deployment, projects, log, signal }: SweepParts,
  record: ProjectRecord,
  db: ProjectDatabase,
) {
  const { ref } = record;
  const { values: settings } = await ProjectSettings.load({
    db,
    env: deployment.fallbacksOf(record),
    seal: settingsSeal(ref, record.dataKey),
  });
  const { keepDays: keepGuestsDays } = settings['auth.methods.anonymous'];
  const expired = await sweepExpired(db.enginePool, {
    keepGuestsDays,
    runDeletion: (id) => db.deleteUser(id),
  });
  const deliveries = await sweepDeliveries(db, keepDeliveriesDays);
  // What processes of an earlier release have left in their own table.
  await db.queryAsEngine('select platform.move_hook_deliveries()');
  await noteDeliveries(projects, ref);
  const messages = await sweepMessages(db, keepMessagesDays);
  await renoteMessages(projects, ref, await listOverdue(db));
  const changes = await trimChanges(db, signal);
  const functionRecords = await sweepFunctions(db, settings.functions.logDays);
  const files = await sweepProjectStorage(deployment.storageOf(ref), { db, settings, log, signal });
  return {
    ...expired,
    deliveries,
    messages,
    changes,
    functionRecords,
    ...files,
  };
}
