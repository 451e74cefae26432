import { isRecord, type JsonRecord } from '#libs/wire';
import type { Group } from './define-group.js';
import { fieldsIn, type Field, type Fields } from './field.js';
import { recordsIn, recordWith } from './records.js';
import { resolve, resolveField, type Sources } from './resolve.js';

/** Stands for a secret that is stored: readers get it, writers send it back to keep the secret. */
export const secretSentinel = '__SECRET_SET__';

/**
 * The values of a group as a reader of the settings sees them: everything is present, unset is `null`.
 * A stored secret is the sentinel. One from the environment is `null`, so that what was read can be
 * written back as it is without asking for a secret that nobody stored.
 */
export function redact(group: Group, sources: Sources): JsonRecord {
  return redactFields(group.fields, resolve(group, sources), sources.stored);
}

/** One field as a reader sees it. `env` is what its surroundings leave to it. */
export function redactField(field: Field, sources: Sources): unknown {
  return redactValue(field, resolveField(field, sources), sources.stored);
}

function redactFields(fields: Fields, values: JsonRecord, stored: unknown): JsonRecord {
  const from = isRecord(stored) ? stored : {};
  return Object.fromEntries(
    fieldsIn(fields).map(([name, field]) => [name, redactValue(field, values[name], from[name])]),
  );
}

function redactValue(field: Field, value: unknown, stored: unknown): unknown {
  switch (field.kind) {
    case 'secret':
      return typeof stored === 'string' ? secretSentinel : null;
    case 'object':
      return redactFields(field.fields, isRecord(value) ? value : {}, stored);
    case 'entries':
      return recordsIn(value).map((entry) =>
        redactFields(field.fields, entry, recordWith(stored, field.key, entry[field.key])),
      );
    case 'flag':
    case 'integer':
    case 'text':
    case 'choice':
    case 'list':
      return value ?? null;
  }
}
