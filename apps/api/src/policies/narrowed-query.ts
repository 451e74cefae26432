// The query string of a request, reduced to the filters on its own rows: another caller reads with the same filters.
import { decodeComponent } from '#libs/wire';

const notFilters: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
]);
const logical: ReadonlySet<string> = new Set(['and', 'or', 'not.and', 'not.or']);

/** Returns the parts of a query string that filter the rows of the table itself, as they are. */
export function filtersOf(query: string): readonly string[] {
  return query.split('&').filter((part) => part !== '' && isOwnFilter(nameOf(part)));
}

/** Whether a query string limits the rows, so that some may be missing for no other reason. */
export function hasWindow(query: string): boolean {
  return query.split('&').some((part) => ['limit', 'offset'].includes(nameOf(part)));
}

/** Returns a query string with other columns, in an order that both callers share. */
export function narrowed(
  filters: readonly string[],
  { select, order, limit }: NarrowedParts,
): string {
  return [
    ...filters,
    `select=${encodeURIComponent(select)}`,
    ...(order === undefined ? [] : [`order=${encodeURIComponent(order)}`]),
    `limit=${limit}`,
  ].join('&');
}

interface NarrowedParts {
  readonly select: string;
  readonly order?: string | undefined;
  readonly limit: number;
}

/** Returns a filter for the rows with these keys, each as texts by column. */
export function filterByKeys(keys: readonly Readonly<Record<string, string>>[]): string {
  const rows = keys.map((key) => {
    const terms = Object.entries(key).map(([name, value]) => `${quoted(name)}.eq.${quoted(value)}`);
    return `and(${terms.join(',')})`;
  });
  return `or=${encodeURIComponent(`(${rows.join(',')})`)}`;
}

/** A name or a value with characters that mean something, as REST quotes it. */
export function quoted(word: string): string {
  return `"${word.replaceAll(/["\\]/g, '\\$&')}"`;
}

function isOwnFilter(name: string): boolean {
  if (notFilters.has(name)) return false;
  if (logical.has(name)) return true;
  // A point leads to an embed, unless it is part of a path into JSON or quoted.
  const [column = ''] = name.split('->');
  return !column.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').includes('.');
}

function nameOf(part: string): string {
  const name = part.split('=')[0] ?? '';
  // A name that cannot be decoded is refused by the parser of the request.
  return decodeComponent(name.replaceAll('+', ' ')) ?? name;
}
