import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';
import type { Preferences } from '../types/request.js';
import { shorten } from './names.js';

type Values = ReadonlyMap<string, string>;

/** Names that are implemented, in the order in which Preference-Applied repeats them. */
const NAMES = [
  'resolution',
  'return',
  'count',
  'missing',
  'handling',
  'tx',
  'max-affected',
  'params',
] as const;
type PreferenceName = (typeof NAMES)[number];

/**
 * Parses the header `Prefer` (RFC 7240): the first of equal names counts. Unknown names are ignored, or refused with
 * `handling=strict`. Throws PGRST122 for those and for an unknown value of an implemented preference.
 */
export function parsePrefer(header: string | undefined): Preferences {
  const values = readHeader(header ?? '');
  if (oneOf(values, 'handling', ['lenient', 'strict']) === 'strict') refuseUnknownNames(values);
  return {
    count: oneOf(values, 'count', ['exact', 'planned', 'estimated', 'none']) ?? 'none',
    returns: oneOf(values, 'return', ['representation', 'minimal', 'headers-only']),
    resolution: oneOf(values, 'resolution', ['merge-duplicates', 'ignore-duplicates']),
    missing: oneOf(values, 'missing', ['default', 'null']) ?? 'null',
    maxAffected: wholeNumber(values, 'max-affected'),
    isDryRun: oneOf(values, 'tx', ['commit', 'rollback']) === 'rollback',
    isSingleObject: oneOf(values, 'params', ['single-object']) !== undefined,
    given: NAMES.filter((name) => values.has(name))
      .map((name) => `${name}=${values.get(name)}`)
      // PostgREST's word for no count; nothing is applied.
      .filter((preference) => preference !== 'count=none'),
  };
}

function refuseUnknownNames(values: Values): void {
  const known: ReadonlySet<string> = new Set(NAMES);
  const unknown = [...values].filter(([name]) => !known.has(name));
  if (unknown.length === 0) return;
  const shown = unknown.map(([name, value]) => (value === '' ? name : `${name}=${value}`));
  throw fail('PGRST122', { values: shorten(shown.join(', ')) });
}

function readHeader(header: string): Values {
  const values = new Map<string, string>();
  for (const part of header.split(',')) {
    const preference = part.split(';', 1)[0] ?? '';
    const equals = preference.indexOf('=');
    const name = (equals === -1 ? preference : preference.slice(0, equals)).trim().toLowerCase();
    const value = equals === -1 ? '' : preference.slice(equals + 1).trim();
    if (name !== '' && !values.has(name)) values.set(name, value.replace(/^"(.*)"$/, '$1'));
  }
  return values;
}

function oneOf<Option extends string>(
  values: Values,
  name: PreferenceName,
  options: readonly Option[],
): Option | undefined {
  const value = values.get(name);
  if (value === undefined) return undefined;
  const found = options.find((option) => option === value);
  if (found === undefined) throw unknownValue(name, value);
  return found;
}

function wholeNumber(values: Values, name: PreferenceName): number | undefined {
  const value = values.get(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw unknownValue(name, value);
  return Number(value);
}

function unknownValue(name: PreferenceName, value: string): AppError {
  return fail('PGRST122', { values: `${name}=${shorten(value)}` });
}
