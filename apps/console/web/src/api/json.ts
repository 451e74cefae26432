// Values of JSON.

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is an object with named fields: neither null nor a list. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text of JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The object in a text of JSON; undefined if there is none. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? { ...value } : undefined;
}
