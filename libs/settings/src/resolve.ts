import { decodeEnvText, decodeField, type FieldValue } from './decode.js';
import { fieldsOf, type Group, type Values } from './define-group.js';
import type { Field, Fields } from './field.js';

/** The environment, as read by the caller. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the values of a group come from. */
export interface Sources {
  /** The stored JSON value, its secrets opened; undefined when the group is not stored. */
  readonly stored: unknown;
  readonly env: Environment;
}

/**
 * The values of a group, per field: stored, else environment, else default.
 * A group that has a secret takes nothing from the environment once it is stored: otherwise a host set
 * in one project would be sent the password of the whole deployment.
 * What is stored and no longer fits its field counts as not stored.
 */
export function resolve<F extends Fields>(group: Group<string, F>, sources: Sources): Values<F> {
  const stored = isRecord(sources.stored) ? sources.stored : undefined;
  const env = stored && secretPaths(group).length > 0 ? {} : sources.env;
  const values = fieldsOf(group).map(([name, field]) => [
    name,
    storedValue(field, stored?.[name]) ?? envValue(field, env) ?? defaultOf(field),
  ]);
  // The entries are built from the declaration that the type is made from.
  return Object.fromEntries(values) as Values<F>;
}

/** The names of the fields whose stored values are sealed. */
export function secretPaths(group: Group): readonly string[] {
  return fieldsOf(group)
    .filter(([, field]) => field.kind === 'secret')
    .map(([name]) => name);
}

/** A stored value with `change` applied to each secret that is set: to seal before storing, to open after reading. */
export function mapSecrets(
  group: Group,
  value: Readonly<Record<string, unknown>>,
  change: (secret: string, path: string) => string,
): Readonly<Record<string, unknown>> {
  const changed = secretPaths(group).flatMap((path) => {
    const found = value[path];
    return typeof found === 'string' ? [[path, change(found, path)] as const] : [];
  });
  return { ...value, ...Object.fromEntries(changed) };
}

/** Whether `value` is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function storedValue(field: Field, value: unknown): FieldValue {
  if (value === undefined || value === null) return undefined;
  const decoded = decodeField(field, value);
  return decoded.ok ? decoded.value : undefined;
}

function envValue(field: Field, env: Environment): FieldValue {
  const text = field.env === undefined ? undefined : env[field.env];
  if (text === undefined || text.trim() === '') return undefined;
  const decoded = decodeEnvText(field, text);
  return decoded.ok ? decoded.value : undefined;
}

function defaultOf(field: Field): FieldValue {
  return field.kind === 'secret' ? undefined : field.default;
}
