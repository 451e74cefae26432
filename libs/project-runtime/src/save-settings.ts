// Saves settings: decode, build, commit, swap, publish. What depends on the new values is built before the commit, so
// that stored settings always have a working instance, and put in force after it.
import { fail } from '#libs/errors';
import { getGroup, rebuildsBetween, secretPathsIn } from '#libs/settings';

import type { AuditActor } from './audit.js';
import type { ProjectRuntime } from './project-runtime.js';
import type { GroupView, ProjectSettings, SettingsChange } from './project-settings.js';
import type { Candidate } from './replaceable.js';
import { findVersion } from './settings-history.sql.js';

/**
 * Replaces a whole group and returns it with its secrets hidden. Throws UNKNOWN_SETTINGS_GROUP, UNKNOWN_FIELD,
 * INVALID_INPUT, and SETTINGS_REFUSED if a part cannot be built from the new values; then nothing is stored.
 */
export function saveSettings(
  project: ProjectRuntime,
  name: string,
  body: unknown,
  actor: AuditActor,
): Promise<GroupView> {
  getGroup(name);
  return changeSettings(project, (settings) => settings.decode(name, body), actor);
}

/** Removes the stored group, so that its values come from the environment and the defaults. Throws like a save. */
export function revertSettings(
  project: ProjectRuntime,
  name: string,
  actor: AuditActor,
): Promise<GroupView> {
  getGroup(name);
  return changeSettings(project, (settings) => settings.without(name), actor);
}

/** A group after it was returned to a version. */
export interface RestoredSettings {
  readonly settings: GroupView;
  /** The paths of secrets of the version that have changed since. They are not kept, so they stay as they are now. */
  readonly secretsAsNow: readonly string[];
}

/**
 * Returns a group to what was stored after a change of its history, or before it. Throws SETTINGS_VERSION_NOT_FOUND, and
 * like a save: the version may need a secret that is gone.
 */
export async function restoreSettings(
  project: ProjectRuntime,
  name: string,
  to: { readonly id: string; readonly state: 'before' | 'after' },
  actor: AuditActor,
): Promise<RestoredSettings> {
  const group = getGroup(name);
  const { id, state } = to;
  const found = await project.db.runAsEngine((tx) => findVersion(tx, name, id));
  if (!found) throw fail('SETTINGS_VERSION_NOT_FOUND');
  const version = found[state] ?? undefined;
  const changed = new Set([
    ...found.changedLater,
    ...(state === 'before' ? found.changedSecrets : []),
  ]);
  const settings = await changeSettings(
    project,
    (current) => current.restore(name, version, id),
    actor,
  );
  const secrets = version === undefined ? [] : secretPathsIn(group, version);
  return { settings, secretsAsNow: secrets.filter((path) => changed.has(path)) };
}

function changeSettings(
  project: ProjectRuntime,
  decode: (settings: ProjectSettings) => SettingsChange,
  actor: AuditActor,
): Promise<GroupView> {
  return project.settingsTurns.run(async () => {
    let before = project.settings;
    for (;;) {
      const change = decode(before);
      const candidate = await build(project, before, change);
      if (await commit(before, change, actor, candidate)) {
        candidate.swap();
        project.keepSettings();
        if (haveSessionsChanged(before, change.next)) project.auth.shortenSessions();
        // Events that waited while the hook was off leave now.
        if (change.name === 'auth.hooks') await project.deliveries.watch();
        await project.deps.publishSettings(project.record.ref, change.next.version);
        return change.next.view(change.name);
      }
      // Another process has saved in between: decode again, based on what it has stored.
      before = await before.reload();
    }
  });
}

async function build(
  project: ProjectRuntime,
  before: ProjectSettings,
  { name, next }: SettingsChange,
): Promise<Candidate> {
  const { rebuilds } = getGroup(name);
  if (rebuilds.includes('storage')) {
    await project.files.check(before.get('storage'), next.get('storage'));
  }
  // Another process may have changed other groups as well.
  const changed = rebuildsBetween(project.settings.values, next.values);
  const parts = project.parts.filter(
    (part) =>
      part.isStale || rebuilds.includes(part.kind) || (part.isBuilt && changed.has(part.kind)),
  );
  return project.prepare(next, parts);
}

/** Stores the change. Discards the candidate if that fails, or returns false if another process was faster. */
async function commit(
  before: ProjectSettings,
  change: SettingsChange,
  actor: AuditActor,
  candidate: Candidate,
): Promise<boolean> {
  let isStored = false;
  try {
    isStored = await before.commit(change, actor);
  } finally {
    if (!isStored) await candidate.discard();
  }
  return isStored;
}

/** Whether the rules of sessions differ, so that existing sessions may have to end earlier. */
function haveSessionsChanged(before: ProjectSettings, next: ProjectSettings): boolean {
  const [old, now] = [before, next].map((settings) =>
    JSON.stringify(settings.get('auth.sessions')),
  );
  return old !== now;
}
