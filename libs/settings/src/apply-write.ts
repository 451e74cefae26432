import { fail } from '#libs/errors';
import { decodeField, type FieldValue } from './decode.js';
import { fieldsOf, type Group } from './define-group.js';
import { secretSentinel } from './redact.js';
import { isRecord, resolve, type Environment } from './resolve.js';

/** What a write needs to know besides the group. */
export interface Write {
  /** The value stored until now, its secrets opened; undefined when nothing is. */
  readonly stored: unknown;
  readonly env: Environment;
  /** The JSON body of the request. */
  readonly body: unknown;
}

/**
 * The value to store after a write. A group is written as a whole: a field that is missing or `null`
 * returns to its fallback (environment or default), and only what was sent is stored.
 * The sentinel keeps a secret as it is stored.
 * Throws UNKNOWN_FIELD for a name that the group does not have, and INVALID_INPUT (400) naming the field
 * and what is allowed, also for the sentinel where no secret is stored.
 */
export function applyWrite(group: Group, write: Write): Readonly<Record<string, FieldValue>> {
  const { body, env } = write;
  if (!isRecord(body)) {
    throw fail('INVALID_INPUT', { field: 'body', reason: 'must be an object of fields' });
  }
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(group.fields, name)) throw fail('UNKNOWN_FIELD', { field: name });
  }
  const stored = isRecord(write.stored) ? write.stored : {};
  const next: Record<string, FieldValue> = {};
  for (const [name, field] of fieldsOf(group)) {
    const sent = body[name];
    if (sent === undefined || sent === null) continue;
    if (field.kind === 'secret' && sent === secretSentinel) {
      next[name] = keptSecret(name, stored[name]);
      continue;
    }
    const decoded = decodeField(field, sent);
    if (!decoded.ok) throw fail('INVALID_INPUT', { field: name, reason: decoded.reason });
    next[name] = decoded.value;
  }
  const conflict = group.conflict(resolve(group, { stored: next, env }));
  if (conflict) throw fail('INVALID_INPUT', { field: conflict.field, reason: conflict.reason });
  return next;
}

function keptSecret(name: string, stored: unknown): string {
  if (typeof stored === 'string') return stored;
  throw fail('INVALID_INPUT', {
    field: name,
    reason: `no secret is stored that ${secretSentinel} could keep; send the secret itself or leave it out`,
  });
}
