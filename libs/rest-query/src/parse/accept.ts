import { PLAN_OPTIONS, type Format, type RowFormat } from '../types/request.js';

type Make = (parameters: readonly string[]) => Format;

const JSON_ARRAY: RowFormat = { kind: 'array', stripNulls: false };
const asArray: Make = (parameters) => ({ kind: 'array', stripNulls: stripsNulls(parameters) });
const asObject: Make = (parameters) => ({ kind: 'object', stripNulls: stripsNulls(parameters) });

const FORMATS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['application/json', asArray],
  ['application/vnd.pgrst.array+json', asArray],
  ['application/vnd.pgrst.array', asArray],
  ['application/*', asArray],
  ['*/*', asArray],
  ['application/vnd.pgrst.object+json', asObject],
  ['application/vnd.pgrst.object', asObject],
  ['text/csv', () => ({ kind: 'csv' })],
  ['application/geo+json', () => ({ kind: 'geojson' })],
  ['application/vnd.pgrst.plan', (parameters) => planOf('text', parameters)],
  ['application/vnd.pgrst.plan+text', (parameters) => planOf('text', parameters)],
  ['application/vnd.pgrst.plan+json', (parameters) => planOf('json', parameters)],
]);

/**
 * Chooses the format of the rows (RFC 9110 §12.5.1): the known media type with the highest weight, the first of equal
 * ones; a JSON array if none is known.
 */
export function parseAccept(header: string | undefined): Format {
  if (header === undefined || header === '*/*' || header === 'application/json') return JSON_ARRAY;
  let best: Format = JSON_ARRAY;
  let bestWeight = 0;
  for (const range of splitOutsideQuotes(header, ',')) {
    const [type = '', ...parameters] = splitOutsideQuotes(range, ';').map((part) =>
      part.trim().toLowerCase(),
    );
    const make = FORMATS.get(type);
    const weight = weightOf(parameters);
    if (make && weight > bestWeight) {
      best = make(parameters);
      bestWeight = weight;
    }
  }
  return best;
}

// `for="text/csv"; options=analyze|verbose`. Options that EXPLAIN does not accept here are ignored.
function planOf(as: 'text' | 'json', parameters: readonly string[]): Format {
  const options = new Set(
    valueOf(parameters, 'options')
      ?.split('|')
      .map((word) => word.trim()),
  );
  const explained = parseAccept(valueOf(parameters, 'for'));
  return {
    kind: 'plan',
    as,
    options: PLAN_OPTIONS.filter((option) => options.has(option)),
    of: explained.kind === 'plan' ? JSON_ARRAY : explained,
  };
}

function stripsNulls(parameters: readonly string[]): boolean {
  return valueOf(parameters, 'nulls') === 'stripped';
}

function weightOf(parameters: readonly string[]): number {
  const value = Number(valueOf(parameters, 'q') ?? 1);
  return value >= 0 && value <= 1 ? value : 1;
}

/** The value of a parameter of a media type, without its quotes. */
function valueOf(parameters: readonly string[], name: string): string | undefined {
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals === -1 || parameter.slice(0, equals).trim() !== name) continue;
    return parameter
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
