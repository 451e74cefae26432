// Texts that PostgreSQL cannot store, although JSON and URLs can carry them.

const loneSurrogate = /\p{Surrogate}/u;

/** A text that cannot be stored, and where it is. */
export interface Unstorable {
  /** The name of the outermost field; undefined if the value itself is the text. */
  readonly field: string | undefined;
  readonly reason: string;
}

/**
 * Returns the first text in a value, including names of fields, that PostgreSQL can neither store nor compare: it
 * contains the character NUL or half of a surrogate pair. Looks into arrays and plain objects; the caller limits the
 * depth.
 */
export function findUnstorable(value: unknown): Unstorable | undefined {
  if (typeof value === 'string') {
    const reason = reasonOf(value);
    return reason === undefined ? undefined : { field: undefined, reason };
  }
  if (!isPlain(value)) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const found = findUnstorable(name) ?? findUnstorable(each);
    if (found === undefined) continue;
    return { field: Array.isArray(value) ? undefined : name, reason: found.reason };
  }
  return undefined;
}

function reasonOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL';
  if (loneSurrogate.test(text)) return 'must not contain half of a surrogate pair';
  return undefined;
}

/** Streams, buffers and instances of classes are not parsed input. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A query parser may create its objects without a prototype.
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
