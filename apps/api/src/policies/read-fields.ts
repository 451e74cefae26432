// The fields of foreign objects, each checked with an error that names it.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

type Fields = Readonly<Record<string, unknown>>;

/** Throws INVALID_INPUT (400) unless the value is an object. */
export function record(value: unknown, field: string): Fields {
  if (isRecord(value)) return value;
  throw fail('INVALID_INPUT', { field, reason: 'must be an object' });
}

/** Throws UNKNOWN_FIELD (400) for a field that is not among the known ones. */
export function fieldsOf(value: Fields, field: string, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw fail('UNKNOWN_FIELD', { field: `${field}.${unknown}` });
}

/** A text that is not empty. Throws INVALID_INPUT (400). */
export function text(value: unknown, field: string, maxLength: number): string {
  const found = optionalText(value, field, maxLength);
  if (found !== undefined && found !== '') return found;
  throw fail('INVALID_INPUT', { field, reason: 'is required' });
}

/** Throws INVALID_INPUT (400) for a value that PostgreSQL cannot take as text. */
export function optionalText(value: unknown, field: string, maxLength: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw fail('INVALID_INPUT', { field, reason: 'must be a text' });
  if (value.length > maxLength) {
    throw fail('INVALID_INPUT', { field, reason: `must be at most ${maxLength} characters` });
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    throw fail('INVALID_INPUT', { field, reason: 'must be plain text' });
  }
  return value;
}

/** One of a few words. Throws INVALID_INPUT (400). */
export function word<const Word extends string>(
  value: unknown,
  field: string,
  words: readonly Word[],
): Word {
  const found = words.find((known) => known === value);
  if (found !== undefined) return found;
  throw fail('INVALID_INPUT', { field, reason: `must be one of ${words.join(', ')}` });
}
