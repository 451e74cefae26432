// A value for each kind of column and argument, so that a snippet can be sent as it is.
import type { ApiField, FieldSchema } from './document.js';

const byFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
};

/** A value that the schema takes. */
export function sampleOf(schema: FieldSchema): unknown {
  const label = schema.enum?.find((value) => value !== null);
  if (label !== undefined) return label;
  const [type] = schema.types;
  switch (type) {
    case undefined:
    case 'object':
      return {};
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items)];
    default:
      return textOf(schema);
  }
}

function textOf({ format, pattern, description = '', maxLength }: FieldSchema): string {
  const known = format === undefined ? undefined : byFormat[format];
  if (known !== undefined) return known;
  if (pattern?.startsWith('^\\\\x') === true) return '\\x00';
  // The description of the type is behind that of the column.
  const example = [...description.matchAll(/for example `([^`]+)`/g)].at(-1)?.[1];
  if (example !== undefined) return example;
  if (description.includes('An IP address')) return '10.0.0.1';
  if (description.includes('A network: an IP address')) return '10.0.0.0/8';
  return 'text'.slice(0, maxLength);
}

/** The columns of an insert: those that are required, and some others if these are few. */
export function insertSample(fields: readonly ApiField[]): readonly ApiField[] {
  const required = fields.filter(({ isRequired }) => isRequired);
  const others = fields.filter(({ isRequired }) => !isRequired);
  return [...required, ...others.slice(0, Math.max(0, 2 - required.length))];
}

/** The columns of an upsert: the key, and what a new row requires. */
export function upsertSample(
  fields: readonly ApiField[],
  primaryKey: readonly string[],
): readonly ApiField[] {
  const key = fields.filter(({ name }) => primaryKey.includes(name));
  const rest = fields.filter(({ name }) => !primaryKey.includes(name));
  return [...key, ...insertSample(rest)];
}
