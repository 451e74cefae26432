// The metadata of a user: objects of the application's own, which go along with every request of the user.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import type { Fields } from './fields.js';

/** In characters of JSON. */
const maxLength = 16_384;

export type Metadata = Readonly<Record<string, unknown>>;

/**
 * The metadata after a change: fields of `change` take the place of those of `before`, and null removes one.
 * Throws INVALID_INPUT with `field` when they become too long.
 */
export function mergedMetadata(field: string, before: Metadata, change: Metadata = {}): Metadata {
  const all = Object.entries({ ...before, ...change });
  const merged = Object.fromEntries(all.filter(([, value]) => value !== null));
  if (JSON.stringify(merged).length <= maxLength) return merged;
  const reason = `must have at most ${maxLength} characters as JSON`;
  throw fail('INVALID_INPUT', { field, reason });
}

/** A change that a body brings; undefined when it brings none. Throws INVALID_INPUT for what cannot be stored. */
export function metadataIn(body: Fields, field: string): Metadata | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw fail('INVALID_INPUT', { field, reason: 'must be an object' });
  // PostgreSQL stores no text with this character.
  if (JSON.stringify(value).includes(String.raw`\u0000`)) {
    throw fail('INVALID_INPUT', { field, reason: 'must not contain the character NUL' });
  }
  return { ...value };
}
