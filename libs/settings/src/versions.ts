// Versions of a group, as the history of the settings keeps them: what was stored, with every secret replaced by the
// sentinel. The secrets of a version are never kept.
import type { JsonRecord } from '#libs/wire';
import type { Group } from './define-group.js';
import { secretSentinel } from './redact.js';
import { mapSecrets, secretsIn } from './secrets.js';

/** Returns a stored value as its history keeps it: without its secrets. */
export function recordedVersion(group: Group, stored: JsonRecord): JsonRecord {
  const hide = () => secretSentinel;
  return mapSecrets(group, stored, hide, hide);
}

/** Returns the paths of the secrets that two stored values do not have in common. */
export function secretsChanged(
  group: Group,
  before: JsonRecord | undefined,
  after: JsonRecord | undefined,
): readonly string[] {
  const old = secretsIn(group, before ?? {});
  const now = secretsIn(group, after ?? {});
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths].filter((path) => old.get(path) !== now.get(path));
}

/**
 * Returns the body of a write that returns to a version. Each of its secrets has the value that is stored now at the
 * same path, and is left out if none is stored there, or none that can be opened.
 */
export function restoredBody(
  group: Group,
  version: JsonRecord,
  stored: JsonRecord | undefined,
): JsonRecord {
  const now = secretsIn(group, stored ?? {});
  return mapSecrets(group, version, (_sentinel, path) => {
    const secret = now.get(path);
    return typeof secret === 'string' ? secret : undefined;
  });
}

/** Returns the paths of the secrets that a version has. */
export function secretPathsIn(group: Group, version: JsonRecord): readonly string[] {
  return [...secretsIn(group, version).keys()];
}
