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
import { hasOwnSecret, hasSecret } from './secrets.js';

/** What a write needs to know besides the group. */
export interface Write {
  /** The value stored until now, its secrets opened; undefined when nothing is. */
  readonly stored: unknown;
  readonly env: Environment;
  /** The JSON body of the request. */
  readonly body: unknown;
}

/** What is written at one place of the group. */
interface Place {
  readonly sent: unknown;
  readonly stored: unknown;
  /** What the environment gives at this place; undefined when the place takes nothing from it. */
  readonly env: Environment | undefined;
  /** As errors name it; empty for the group itself. */
  readonly path: string;
}

/**
 * The value to store after a write. A group is written as a whole, its objects and entries too: a field that
 * is missing or `null` returns to its fallback (environment or default), and only what was sent is stored.
 * The sentinel keeps a secret as it is stored: in an object the one at the same place, in an entry the one of
 * the stored entry with the same key.
 * An object with a secret that is not stored and is sent as it was read stays as it was: whoever changes one
 * provider of a group sends back the other ones, and these keep what the environment gives them.
 * Throws UNKNOWN_FIELD for a name that the group does not have, and INVALID_INPUT (400) naming the path of
 * the field and what is allowed, also for the sentinel where no secret is stored.
 */
export function applyWrite(group: Group, write: Write): ObjectValue {
  const { body, env, stored } = write;
  const next = writeFields(group.fields, {
    sent: body,
    stored,
    env: hasOwnSecret(group.fields) ? undefined : env,
    path: '',
  });
  const conflict = group.conflict(resolve(group, { stored: next, env }));
  if (conflict) throw fail('INVALID_INPUT', { field: conflict.field, reason: conflict.reason });
  return next;
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
    if (inner.sent === undefined || inner.sent === null) continue;
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

/** Whether `next` is what a reader saw. Both list their fields in the order of the declaration. */
function isAsRead(next: ObjectValue, read: unknown): boolean {
  const shown = JSON.stringify(read, (_name, value: unknown) => value ?? undefined);
  return JSON.stringify(next) === shown;
}

function keptSecret(path: string, stored: unknown): string {
  if (typeof stored === 'string') return stored;
  throw refusal(
    path,
    `no secret is stored that ${secretSentinel} could keep; send the secret itself or leave it out`,
  );
}

function refusal(field: string, reason: string) {
  return fail('INVALID_INPUT', { field, reason });
}
