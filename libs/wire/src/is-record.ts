/** An object with named fields, e.g. a JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether the value is an object with named fields: neither null nor a list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
