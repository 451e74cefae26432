import { fieldsOf, type Group } from './define-group.js';
import type { FieldValue } from './decode.js';
import { isRecord, resolve, type Sources } from './resolve.js';

/** Stands for a secret that is stored: readers get it, writers send it back to keep the secret. */
export const secretSentinel = '__SECRET_SET__';

/**
 * The values of a group as a reader of the settings sees them: everything is present, unset is `null`.
 * A stored secret is the sentinel. One from the environment is `null`, so that what was read can be
 * written back as it is without asking for a secret that nobody stored.
 */
export function redact(
  group: Group,
  sources: Sources,
): Readonly<Record<string, FieldValue | null>> {
  const values = resolve(group, sources);
  const stored = isRecord(sources.stored) ? sources.stored : {};
  return Object.fromEntries(
    fieldsOf(group).map(([name, field]) => {
      if (field.kind !== 'secret') return [name, values[name] ?? null];
      return [name, typeof stored[name] === 'string' ? secretSentinel : null];
    }),
  );
}
