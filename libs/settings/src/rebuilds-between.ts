import type { Group, Rebuild } from './define-group.js';
import { type Settings, SETTINGS_GROUPS } from './groups.js';

/** Returns the parts that are remade when `next` takes the place of `before`: those of the groups whose values differ. */
export function rebuildsBetween(before: Settings, next: Settings): ReadonlySet<Rebuild> {
  const changed: readonly Group[] = SETTINGS_GROUPS.filter(
    ({ name }) => JSON.stringify(before[name]) !== JSON.stringify(next[name]),
  );
  return new Set(changed.flatMap(({ rebuilds }) => rebuilds));
}
