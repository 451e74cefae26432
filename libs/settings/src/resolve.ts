import { isRecord } from '#libs/wire';
import {
  decodeEnvText,
  decodeLeaf,
  type FieldValue,
  type LeafValue,
  type ObjectValue,
} from './decode.js';
import type { Group, Values } from './define-group.js';
import { fieldsIn, type EntriesField, type Field, type Fields, type LeafField } from './field.js';
import { hasOwnSecret, hasSecret } from './secrets.js';
import { withPresentNames } from './present-names.js';
import { recordsIn } from './records.js';

/** The environment, as read by the caller. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The sources of values. */
export interface Sources {
  /** The stored JSON value, its secrets opened; undefined if nothing is stored. */
  readonly stored: unknown;
  readonly env: Environment;
}

/**
 * Returns the values of a group, per leaf: stored, else environment, else default.
 * A stored group with a secret among its own fields takes nothing from the environment: otherwise the password of the
 * whole deployment would be sent to a host that a project has set. An object with a secret is a unit of its own: once
 * it is stored it takes nothing from the environment, and a project that configures one provider keeps the other
 * providers of the deployment. Therefore the fields that decide where a secret is sent belong in the same object as the
 * secret.
 * A stored value that is no longer valid counts as not stored: a leaf, an entry without its key, an entry with the key
 * of another entry, an entry over the limit.
 */
export function resolve<F extends Fields>(group: Group<string, F>, sources: Sources): Values<F> {
  const { stored } = sources;
  const env = groupEnvironment(group, sources);
  // The values are built from the declaration that the type is made from.
  return resolveFields(group.fields, { stored, env }) as Values<F>;
}

/** The value of one field. `env` is the environment, if this field may use it. */
export function resolveField(field: Field, sources: Sources): FieldValue {
  const { stored, env } = sources;
  if (field.kind === 'entries') return resolveEntries(field, stored);
  if (field.kind === 'object') {
    const taken = isRecord(stored) && hasSecret(field.fields) ? {} : env;
    return resolveFields(field.fields, { stored, env: taken });
  }
  return storedLeaf(field, stored) ?? envLeaf(field, env) ?? defaultOf(field);
}

/** The environment that the fields of a group may use. */
export function groupEnvironment(group: Group, { stored, env }: Sources): Environment {
  return isRecord(stored) && hasOwnSecret(group.fields) ? {} : env;
}

function resolveFields(fields: Fields, { stored, env }: Sources): ObjectValue {
  const from = isRecord(stored) ? withPresentNames(fields, stored) : {};
  return Object.fromEntries(
    fieldsIn(fields).map(([name, field]) => [
      name,
      resolveField(field, { stored: from[name], env }),
    ]),
  );
}

function resolveEntries(field: EntriesField, stored: unknown): readonly ObjectValue[] {
  const byKey = new Map<string, ObjectValue>();
  for (const entry of recordsIn(stored)) {
    const values = resolveFields(field.fields, { stored: entry, env: {} });
    const key = values[field.key];
    if (typeof key === 'string' && !byKey.has(key)) byKey.set(key, values);
  }
  return [...byKey.values()].slice(0, field.maxItems);
}

/** The stored value of a leaf, if it is valid. */
export function storedLeaf(field: LeafField, value: unknown): LeafValue {
  if (value === undefined || value === null) return undefined;
  const decoded = decodeLeaf(field, value);
  return decoded.ok ? decoded.value : undefined;
}

/** The value of a leaf in the environment, if it is valid. */
export function envLeaf(field: LeafField, env: Environment): LeafValue {
  const text = field.env === undefined ? undefined : env[field.env];
  if (text === undefined || text.trim() === '') return undefined;
  const decoded = decodeEnvText(field, text);
  return decoded.ok ? decoded.value : undefined;
}

function defaultOf(field: LeafField): LeafValue {
  return field.kind === 'secret' ? undefined : field.default;
}
