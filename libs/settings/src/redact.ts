import { isRecord, type JsonRecord } from '#libs/wire';
import type { Group } from './define-group.js';
import { fieldsIn, type Field, type Fields } from './field.js';
import { recordsIn, recordWith } from './records.js';
import { resolve, resolveField, type Sources } from './resolve.js';

/** Replaces a stored secret: readers receive it, and writers send it back to keep the secret. */
export const secretSentinel = '__SECRET_SET__';

/**
 * Returns the values of a group as a reader sees them: every field is present, unset fields are `null`. A stored secret
 * is the sentinel. A secret from the environment is `null`, so that the result can be written back unchanged although
 * no such secret is stored.
 */
export function redact(group: Group, sources: Sources): JsonRecord {
  return redactFields(group.fields, resolve(group, sources), sources.stored);
}

/** One field as a reader sees it. `env` is the environment, if this field may use it. */
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
