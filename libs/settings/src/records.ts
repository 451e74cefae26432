/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a JSON list; empty for any other value. */
export function recordsIn(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The first object of the list `stored` whose `name` is the text `text`. */
export function recordWith(stored: unknown, name: string, text: unknown): JsonRecord | undefined {
  if (typeof text !== 'string') return undefined;
  return recordsIn(stored).find((record) => record[name] === text);
}
