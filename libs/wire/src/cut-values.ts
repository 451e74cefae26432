/** The most bytes of one value as JSON. */
const maxValueBytes = 8 * 1024;

/**
 * Returns an object for a log, in which values with more than 8 KB as JSON are replaced: a text by its beginning with a
 * mark behind it, any other value by the mark alone, which names the size in bytes.
 */
export function cutValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]));
}

function cut(value: unknown): unknown {
  if (value === undefined) return value;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxValueBytes) return value;
  const mark = `[cut: ${bytes} bytes]`;
  return typeof value === 'string' ? `${beginningOf(value)}… ${mark}` : mark;
}

/** A character takes at most six bytes of JSON, so this and the mark fit. */
const beginningOf = (text: string): string => text.slice(0, maxValueBytes / 8).toWellFormed();
