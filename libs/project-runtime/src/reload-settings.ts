import { rebuildsBetween } from '#libs/settings';

import type { ProjectRuntime } from './project-runtime.js';

/**
 * Reads the settings again and puts them into effect if another process has saved them. If a part cannot be built from
 * them, all of the old state stays in effect, and the next reload tries again.
 */
export function reloadSettings(project: ProjectRuntime): Promise<void> {
  return project.settingsTurns.run(async () => {
    const settings = await project.settings.reload();
    if (settings === project.settings) return;
    const rebuilds = rebuildsBetween(project.settings.values, settings.values);
    const parts = project.parts.filter(
      (part) => part.isStale || (part.isBuilt && rebuilds.has(part.kind)),
    );
    const candidate = await project.prepare(settings, parts);
    candidate.swap();
  });
}
