import { fail } from '#libs/errors';
import {
  type AuditActor,
  countVersions,
  listVersions,
  type ProjectRuntime,
  type RestoredSettings,
  restoreSettings,
  type SettingsVersion,
} from '#libs/project-runtime';
import { getGroup } from '#libs/settings';

import { defaultHistoryLimit, type HistoryQuery } from './history.dto.js';

/** A part of the history of a group, newest first. */
export interface HistoryPage {
  readonly versions: readonly SettingsVersion[];
  /** The number of versions on all pages. */
  readonly total: number;
}

/** Runs as the engine role: the history is the platform's own table. Throws UNKNOWN_SETTINGS_GROUP. */
export function readHistory(
  project: ProjectRuntime,
  group: string,
  { before, limit = defaultHistoryLimit }: HistoryQuery,
): Promise<HistoryPage> {
  const { name } = getGroup(group);
  return project.db.runAsEngine(async (tx) => ({
    versions: await listVersions(tx, name, { before, limit }),
    total: await countVersions(tx, name),
  }));
}

/** Throws UNKNOWN_SETTINGS_GROUP, SETTINGS_VERSION_NOT_FOUND (also for an invalid id), and like a save. */
export async function restoreVersion(
  project: ProjectRuntime,
  actor: AuditActor,
  group: string,
  to: { readonly id: string; readonly state: 'before' | 'after' },
): Promise<RestoredSettings> {
  const { name } = getGroup(group);
  if (!/^\d{1,18}$/.test(to.id)) throw fail('SETTINGS_VERSION_NOT_FOUND');
  return restoreSettings(project, name, to, actor);
}
