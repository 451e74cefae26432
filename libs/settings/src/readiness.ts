import type { Group, Values } from './define-group.js';
import type { Fields } from './field.js';

/** Whether a group is switched on and whether it has what it needs to work. */
export interface Readiness {
  /** False only where the group has a flag `enabled` that is off. */
  readonly enabled: boolean;
  readonly configured: boolean;
  /** The required fields that nobody has set. */
  readonly missing: readonly string[];
}

/** The readiness of a group with these resolved values. */
export function readiness<F extends Fields>(group: Group<string, F>, values: Values<F>): Readiness {
  const byName = new Map<string, unknown>(Object.entries(values));
  const missing = group.required(values).filter((name) => isUnset(byName.get(name)));
  return { enabled: byName.get('enabled') !== false, configured: missing.length === 0, missing };
}

function isUnset(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
