import { isRecord } from '#libs/wire';
import type { Group, Part, Values } from './define-group.js';
import type { Fields } from './field.js';

/** Whether a group is enabled, and whether it has the fields that it needs to work. */
export interface Readiness {
  /**
   * False if the flag `enabled` of the group is off, or, in a group without this flag, if it has parts and all of them
   * are off.
   */
  readonly enabled: boolean;
  readonly configured: boolean;
  /** The paths of the required fields without a value, including those of enabled parts. */
  readonly missing: readonly string[];
}

/** Returns the readiness of a group with these resolved values. */
export function readiness<F extends Fields>(group: Group<string, F>, values: Values<F>): Readiness {
  const parts = partsOf(group, values);
  const enabledParts = parts.filter((part) => part.enabled);
  const enabled = flagOf(values) ?? (parts.length === 0 || enabledParts.length > 0);
  const ofGroup = unset(group, values, group.required(values));
  const ofParts = enabled ? enabledParts.flatMap((part) => part.missing) : [];
  const missing = [...new Set([...ofGroup, ...ofParts])];
  return { enabled, configured: missing.length === 0, missing };
}

/** The independent parts of the group, each ready or not; empty for a group without parts. */
export function partsOf<F extends Fields>(
  group: Group<string, F>,
  values: Values<F>,
): readonly Part[] {
  return group.parts(values);
}

function flagOf(values: object): boolean | undefined {
  const found = valueAt(values, 'enabled');
  return typeof found === 'boolean' ? found : undefined;
}

function unset<F extends Fields>(
  { fields }: Group<string, F>,
  values: object,
  paths: readonly string[],
): readonly string[] {
  return paths.filter((path) => {
    const value = valueAt(values, path);
    // A choice with an option that chooses nothing.
    if (value === 'none' && fields[path]?.kind === 'choice') return true;
    return value === undefined || (Array.isArray(value) && value.length === 0);
  });
}

/** The value at a path such as `google.clientId` or `providers[0].clientId`; undefined if there is none. */
function valueAt(values: object, path: string): unknown {
  let found: unknown = values;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (Array.isArray(found)) found = found[Number(step)];
    else found = isRecord(found) ? found[step] : undefined;
  }
  return found;
}
