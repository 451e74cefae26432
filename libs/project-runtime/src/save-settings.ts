// Saves settings: decode, build, commit, swap, publish. What depends on the new values is built before the commit, so
// that stored settings always have a working instance, and put in force after it.
import { getGroup } from '#libs/settings';

import type { AuditActor } from './audit.js';
import type { ProjectRuntime } from './project-runtime.js';
import type { GroupView, ProjectSettings, SettingsChange } from './project-settings.js';
import type { Candidate } from './replaceable.js';
import { reloadInTurn } from './reload-settings.js';

/**
 * Writes a group as a whole and returns it with its secrets hidden. Throws UNKNOWN_SETTINGS_GROUP, UNKNOWN_FIELD,
 * INVALID_INPUT, and SETTINGS_REFUSED when nothing can be built from the new values; then nothing is stored.
 */
export function saveSettings(
  project: ProjectRuntime,
  name: string,
  body: unknown,
  actor: AuditActor,
): Promise<GroupView> {
  return change(project, name, actor, (settings) => settings.decode(name, body));
}

/** Takes the stored group away, so that its values come from the environment and the defaults. Throws as a save. */
export function revertSettings(
  project: ProjectRuntime,
  name: string,
  actor: AuditActor,
): Promise<GroupView> {
  return change(project, name, actor, (settings) => settings.without(name));
}

function change(
  project: ProjectRuntime,
  name: string,
  actor: AuditActor,
  decode: (settings: ProjectSettings) => SettingsChange,
): Promise<GroupView> {
  getGroup(name);
  return project.settingsTurns.run(async () => {
    for (;;) {
      const before = project.settings;
      const decoded = decode(before);
      const candidate = await build(project, decoded);
      if (await commit(before, decoded, actor, candidate)) {
        candidate.swap();
        shortenSessions(project, before);
        await project.deps.publishSettings(project.record.ref, decoded.next.version);
        return decoded.next.view(name);
      }
      // Another process has saved in between: decode again on what it has stored.
      await reloadInTurn(project);
    }
  });
}

async function build(project: ProjectRuntime, { name, next }: SettingsChange): Promise<Candidate> {
  const { rebuilds } = getGroup(name);
  if (rebuilds.includes('storage')) await project.files.check(next.get('storage'));
  return project.prepare(next, [
    ...(rebuilds.includes('auth') ? [project.auth] : []),
    ...(rebuilds.includes('storage') ? [project.files] : []),
  ]);
}

/** Stores the change. Discards the candidate when it cannot, or returns false because another process was faster. */
async function commit(
  before: ProjectSettings,
  decoded: SettingsChange,
  actor: AuditActor,
  candidate: Candidate,
): Promise<boolean> {
  let isStored = false;
  try {
    isStored = await before.commit(decoded, actor);
  } finally {
    if (!isStored) await candidate.discard();
  }
  return isStored;
}

/** Stricter rules hold for the sessions that exist, too. */
function shortenSessions(project: ProjectRuntime, before: ProjectSettings): void {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  if (isSame(before.get('auth.sessions'), project.settings.get('auth.sessions'))) return;
  project.auth.shortenSessions();
}
