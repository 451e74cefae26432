import { isRecord, type JsonRecord } from '#libs/wire';

/** The objects of a JSON list; empty for any other value. */
export function recordsIn(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The first object of the list `stored` whose `name` is the text `text`. */
export function recordWith(stored: unknown, name: string, text: unknown): JsonRecord | undefined {
  if (typeof text !== 'string') return undefined;
  return recordsIn(stored).find((record) => record[name] === text);
}
