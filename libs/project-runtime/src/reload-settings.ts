import type { ProjectRuntime } from './project-runtime.js';

/**
 * Reads the settings again and puts them in force when another process has saved them. A part that cannot be built
 * from them fails the whole: all of the old state stays in force, and the next reload tries again.
 */
export function reloadSettings(project: ProjectRuntime): Promise<void> {
  return project.settingsTurns.run(() => reloadInTurn(project));
}

/** As {@link reloadSettings}, for a verb whose turn it is. */
export async function reloadInTurn(project: ProjectRuntime): Promise<void> {
  const settings = await project.settings.reload();
  if (settings === project.settings) return;
  const parts = [project.auth, project.files];
  const built = parts.filter((part) => part.isBuilt);
  const candidate = await project.prepare(settings, built);
  candidate.swap();
  // A part that was first used during the building knows the old settings.
  await Promise.all(parts.filter((part) => !built.includes(part)).map((part) => part.rebuild()));
}
