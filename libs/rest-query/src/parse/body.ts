import { fail } from '#libs/errors';
import type { BodyShape } from '../types.js';

/**
 * The keys of a JSON body that is an object or an array of objects.
 * The body is read here only for its keys; PostgreSQL reads its values. Throws PGRST102.
 */
export function readBodyShape(body: string | undefined): BodyShape {
  const value = parseJson(body ?? '');
  if (!Array.isArray(value)) {
    return { kind: 'object', keys: keysOf(value, 'the body'), isUniform: true };
  }
  const keys = new Set<string>();
  const sizes = new Set<number>();
  for (const [i, row] of value.entries()) {
    const rowKeys = keysOf(row, `element ${i} of the body`);
    for (const key of rowKeys) keys.add(key);
    sizes.add(rowKeys.length);
  }
  const isUniform = sizes.size === 0 || (sizes.size === 1 && sizes.has(keys.size));
  return { kind: 'array', keys: [...keys], isUniform };
}

function parseJson(body: string): unknown {
  if (body === '') throw fail('PGRST102', { reason: 'it is empty' });
  try {
    return JSON.parse(body);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw fail('PGRST102', { reason: 'it is not JSON' }, { cause });
  }
}

function keysOf(value: unknown, what: string): readonly string[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.keys(value);
  }
  throw fail('PGRST102', { reason: `${what} is not an object` });
}

/**
 * The body as PostgreSQL reads it: an insert always reads an array, so that one object and many rows
 * share a statement shape.
 */
export function bodyParameter(body: string, kind: BodyShape['kind'], isInsert: boolean): string {
  return isInsert && kind === 'object' ? `[${body}]` : body;
}
