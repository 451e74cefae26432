// Metadata as its editor shows it, and what a change of the text means for the API.

type Metadata = Readonly<Record<string, unknown>>;

/** The text of metadata in the editor. */
export function metadataText(metadata: Metadata): string {
  return JSON.stringify(metadata, null, 2);
}

/** The metadata in a text; a problem in words if it is not an object in JSON. */
export function parseMetadata(text: string): { value: Metadata } | { problem: string } {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `This is not JSON: ${error.message}` };
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'This must be an object, such as { "plan": "pro" }.' };
  }
  return { value: { ...value } };
}

/** The names that differ; the API takes a name away by null. Undefined if nothing differs. */
export function metadataChange(before: Metadata, after: Metadata): Metadata | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}
