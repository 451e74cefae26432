// The metadata that users attach to a file: checks a JSON value and returns an object that PostgreSQL can store.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

/** The maximum metadata of one file, in bytes of JSON. The database allows half as much again. */
export const maxMetadataBytes = 8 * 1024;
/** JSON escapes for characters that PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;
const maxDepth = 100;

/**
 * Returns the value as metadata of a file. Its size is counted as compact JSON in UTF-8 with every number written
 * out, because the database stores 1e300 as 301 digits. Throws INVALID_INPUT (400), which names the field.
 */
export function parseUserMetadata(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw refused('it must be a JSON object');
  if (isDeeper(value, maxDepth)) throw refused(`it is nested deeper than ${maxDepth} levels`);
  const text = JSON.stringify(value);
  if (new TextEncoder().encode(text).length + writtenOutBytes(value) > maxMetadataBytes) {
    throw refused(`it is longer than ${maxMetadataBytes} bytes`);
  }
  if (unstorable.test(text)) throw refused('it holds characters that do not exist');
  return { ...value };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** How many bytes the numbers in the value gain if they are written without an exponent. */
function writtenOutBytes(value: unknown): number {
  if (typeof value === 'number') return digitsGained(String(value));
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + writtenOutBytes(inner), 0);
}

function digitsGained(text: string): number {
  const [, exponent] = /e([+-]\d+)$/.exec(text) ?? [];
  return exponent === undefined ? 0 : Math.abs(Number(exponent));
}

function refused(reason: string) {
  return fail('INVALID_INPUT', { field: 'metadata', reason });
}
