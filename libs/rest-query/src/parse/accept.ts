import { fail } from '#libs/errors';
import type { Format } from '../types.js';

const OBJECT_TYPES: ReadonlySet<string> = new Set([
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.object',
]);
const ARRAY_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/vnd.pgrst.array+json',
  'application/vnd.pgrst.array',
  'application/*',
  '*/*',
]);
const LATER_TYPES: ReadonlySet<string> = new Set([
  'application/geo+json',
  'application/vnd.pgrst.plan',
  'application/vnd.pgrst.plan+json',
  'application/vnd.pgrst.plan+text',
]);
const JSON_ARRAY: Format = { kind: 'array', stripNulls: false };

/**
 * How the caller wants its rows (RFC 9110 §12.5.1): the known media type of the highest weight, the
 * first of equal ones; a JSON array when none is known.
 * Throws INVALID_INPUT for the known types that are not made yet.
 */
export function parseAccept(header: string | undefined): Format {
  if (header === undefined || header === '*/*' || header === 'application/json') return JSON_ARRAY;
  let best: Format | string = JSON_ARRAY;
  let bestWeight = 0;
  for (const range of header.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const format = formatOf(type, parameters);
    const weight = weightOf(parameters);
    if (format !== undefined && weight > bestWeight) {
      best = format;
      bestWeight = weight;
    }
  }
  if (typeof best !== 'string') return best;
  throw fail('INVALID_INPUT', { field: 'Accept', reason: `${best} is not supported yet` });
}

/** The format of a media type, or its name when it is known but not made yet. */
function formatOf(type: string, parameters: readonly string[]): Format | string | undefined {
  const stripNulls = parameters.includes('nulls=stripped');
  if (ARRAY_TYPES.has(type)) return { kind: 'array', stripNulls };
  if (OBJECT_TYPES.has(type)) return { kind: 'object', stripNulls };
  if (type === 'text/csv') return { kind: 'csv', stripNulls: false };
  return LATER_TYPES.has(type) ? type : undefined;
}

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  const value = Number(weight.slice(2));
  return value >= 0 && value <= 1 ? value : 1;
}
