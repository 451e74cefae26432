// The sweep of one project: background work that is due although no request uses the project. One statement first finds
// out whether there is any, because most projects are idle most of the time.
import type { Logger } from 'pino';

import { sweepExpired } from '#libs/auth-engine';
import { type ProjectsContext, renoteMessages } from '#libs/control-plane';
import type { ProjectDatabase } from '#libs/database';
import { deliverDue, sweepDeliveries } from '#libs/hooks';
import { createOutbound } from '#libs/outbound';
import {
  type DueSweep,
  findDueSweeps,
  hookCaller,
  listOverdue,
  type ProjectRecord,
  ProjectSettings,
  settingsSeal,
  sweepMessages,
} from '#libs/project-runtime';
import { resolveAll } from '#libs/settings';
import { hasLocalFiles } from '#libs/storage-driver';

import type { Env } from './env.js';
import { settingsFallbacks, storageFolder } from './project-address.js';
import { sweepProjectStorage } from './storage-sweeps.js';

/** How long deliveries of hooks can be looked up. */
const keepDeliveriesDays = 14;
/** How long mails and SMS can be looked up. */
const keepMessagesDays = 14;

export interface SweepParts {
  readonly env: Env;
  readonly projects: ProjectsContext;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Sweeps a project if something is due, and returns the results by kind; undefined if nothing was due. */
export async function sweepProject(parts: SweepParts, record: ProjectRecord, db: ProjectDatabase) {
  return (await isDue(parts, record, db)) ? sweepAll(parts, record, db) : undefined;
}

async function isDue(
  { env }: SweepParts,
  { ref }: ProjectRecord,
  db: ProjectDatabase,
): Promise<boolean> {
  // Interrupted uploads and restored backups leave files without any row.
  return (await findDue(env, ref, db)).length > 0 || hasLocalFiles(storageFolder(env, ref));
}

/** Returns the kinds of work that are due for the project `ref` by its rows. */
export function findDue(env: Env, ref: string, db: ProjectDatabase): Promise<readonly DueSweep[]> {
  const fallback = resolveAll({}, settingsFallbacks(env, ref));
  return findDueSweeps(db, { fallback, keepDeliveriesDays, keepMessagesDays });
}

async function sweepAll(
  { env, projects, log, signal }: SweepParts,
  record: ProjectRecord,
  db: ProjectDatabase,
) {
  const { ref } = record;
  const { values: settings } = await ProjectSettings.load({
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
