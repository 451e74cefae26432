import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { decodeLeaf, type FieldValue, type ObjectValue } from './decode.js';
import type { Group } from './define-group.js';
import {
  fieldsIn,
  type EntriesField,
  type Field,
  type Fields,
  type LeafField,
  type ObjectField,
} from './field.js';
import { withPresentNames } from './present-names.js';
import { recordWith } from './records.js';
import { redactField, secretSentinel } from './redact.js';
import { resolve, type Environment } from './resolve.js';
import {
  hasOwnSecret,
  hasSecret,
  mapSecrets,
  type StoredSecret,
  UnopenedSecret,
} from './secrets.js';

/** The input of a write besides the group. */
export interface Write {
  /** The currently stored value, with its secrets opened; undefined if nothing is stored. */
  readonly stored: unknown;
  readonly env: Environment;
  /** The JSON body of the request. */
  readonly body: unknown;
}

/** The input for one field or object of the group. */
interface Place {
  readonly sent: unknown;
  readonly stored: unknown;
  /** The environment for this place; undefined if it takes nothing from it. */
  readonly env: Environment | undefined;
  /** The path in errors; empty for the group itself. */
  readonly path: string;
}

/**
 * Returns the value to store after a write. A write replaces the whole group, including its objects and entries: a
 * field that is missing or `null` returns to its fallback (environment or default), and only sent fields are stored.
 * The sentinel keeps a stored secret: in an object the secret at the same path, in an entry the secret of the stored
 * entry with the same key.
 * A secret that cannot be opened stays stored for a field without a value or with the sentinel: readers see it as unset.
 * An object with a secret that is not stored and is sent back exactly as it was read stays unset, and keeps its values
 * from the environment: a client that changes one provider of a group sends the other providers back unchanged.
 * Throws UNKNOWN_FIELD for a name that the group does not have, and INVALID_INPUT (400) with the path of the field and
 * the allowed values, also for the sentinel if no secret is stored.
 */
export function applyWrite(group: Group, write: Write): ObjectValue {
  const { body, env, stored } = write;
  const next = writeFields(group.fields, {
    sent: body,
    stored,
    env: hasOwnSecret(group.fields) ? undefined : env,
    path: '',
  });
  const conflict = group.conflict(resolve(group, { stored: withAssumed(group, next), env }));
  if (conflict) throw fail('INVALID_INPUT', { field: conflict.field, reason: conflict.reason });
  return next;
}

/** Fits the rules of every secret, those of Standard Webhooks included. */
const assumedSecret = `whsec_${'A'.repeat(32)}`;

/** Secrets that cannot be opened were valid when they were stored: a write of other fields does not fail for them. */
function withAssumed(group: Group, value: ObjectValue): unknown {
  const asIs = (secret: string) => secret;
  return mapSecrets(group, value, asIs, () => assumedSecret);
}

function writeFields(fields: Fields, place: Place): ObjectValue {
  const { env } = place;
  if (!isRecord(place.sent)) throw refusal(place.path || 'body', 'must be an object of fields');
  const sent = withPresentNames(fields, place.sent);
  const below = (name: string): string => (place.path === '' ? name : `${place.path}.${name}`);
  for (const name of Object.keys(sent)) {
    if (!Object.hasOwn(fields, name)) throw fail('UNKNOWN_FIELD', { field: below(name) });
  }
  const stored = isRecord(place.stored) ? place.stored : {};
  const next: Record<string, FieldValue> = {};
  for (const [name, field] of fieldsIn(fields)) {
    const inner = { sent: sent[name], stored: stored[name], env, path: below(name) };
    if (inner.sent === undefined || inner.sent === null) {
      if (inner.stored instanceof UnopenedSecret) next[name] = inner.stored;
      continue;
    }
    const value = writeField(field, inner);
    if (value !== undefined) next[name] = value;
  }
  return next;
}

function writeField(field: Field, place: Place): FieldValue {
  switch (field.kind) {
    case 'object':
      return writeObject(field, place);
    case 'entries':
      return writeEntries(field, place);
    case 'flag':
    case 'integer':
    case 'text':
    case 'secret':
    case 'choice':
    case 'list':
      return writeLeaf(field, place);
  }
}

function writeLeaf(field: LeafField, { sent, stored, path }: Place): FieldValue {
  if (field.kind === 'secret' && sent === secretSentinel) return keptSecret(path, stored);
  const decoded = decodeLeaf(field, sent);
  if (!decoded.ok) throw refusal(path, decoded.reason);
  return decoded.value;
}

function writeObject(field: ObjectField, place: Place): ObjectValue | undefined {
  if (!hasSecret(field.fields)) return writeFields(field.fields, place);
  const { stored, env } = place;
  const next = writeFields(field.fields, { ...place, env: undefined });
  if (env === undefined || isRecord(stored)) return next;
  return isAsRead(next, redactField(field, { stored: undefined, env })) ? undefined : next;
}

function writeEntries(field: EntriesField, place: Place): readonly ObjectValue[] {
  const { sent, stored, path } = place;
  if (!Array.isArray(sent)) throw refusal(path, 'must be a list of objects');
  if (sent.length > field.maxItems) {
    throw refusal(path, `must have at most ${field.maxItems} entries`);
  }
  const keys = new Set<string>();
  return sent.map((entry: unknown, index) => {
    const at = `${path}[${index}]`;
    const before = recordWith(stored, field.key, isRecord(entry) ? entry[field.key] : undefined);
    const next = writeFields(field.fields, {
      sent: entry,
      stored: before,
      env: undefined,
      path: at,
    });
    const key = next[field.key];
    if (typeof key !== 'string') throw refusal(`${at}.${field.key}`, 'is required');
    if (keys.has(key)) throw refusal(`${at}.${field.key}`, 'is taken by another entry');
    keys.add(key);
    return next;
  });
}

/** Whether `next` equals what a reader saw. Both list their fields in the order of the declaration. */
function isAsRead(next: ObjectValue, read: unknown): boolean {
  const shown = JSON.stringify(read, (_name, value: unknown) => value ?? undefined);
  return JSON.stringify(next) === shown;
}

function keptSecret(path: string, stored: unknown): StoredSecret {
  if (typeof stored === 'string' || stored instanceof UnopenedSecret) return stored;
  throw refusal(
    path,
    `no secret is stored; send the secret itself instead of ${secretSentinel}, or leave it out`,
  );
}

function refusal(field: string, reason: string) {
  return fail('INVALID_INPUT', { field, reason });
}
