import type { SelectItem } from '../types.js';
import { notSupported, readName, splitList, syntaxError } from './names.js';
import { shorten } from './query-template.js';

// The specification: a bare lowercase type name with an optional array marker. The text goes into the
// statement as it is, so nothing else may pass.
const CAST = /^[a-z_][a-z0-9_]*(\[\])?$/;
const AGGREGATE = /(^|\.)\s*(sum|avg|count|max|min)\(\)/;
/** PostgreSQL cuts longer names silently (NAMEDATALEN). */
const MAX_NAME_BYTES = 63;

/** The items of `select`; an empty text selects every column. Throws PGRST100. */
export function parseSelect(text: string): readonly SelectItem[] {
  const items = splitList(text, 'select').map(parseItem);
  return items.length === 0 ? [{ kind: 'all' }] : items;
}

function parseItem(text: string): SelectItem {
  if (text === '*') return { kind: 'all' };
  const first = readColumn(text, 0);
  const hasAlias = text.charAt(first.end) === ':' && text.charAt(first.end + 1) !== ':';
  const column = hasAlias ? readColumn(text, first.end + 1) : first;
  return {
    kind: 'column',
    name: column.text,
    alias: hasAlias ? checkAlias(first.text) : undefined,
    cast: parseCast(text, column.end),
  };
}

function readColumn(text: string, at: number): { readonly text: string; readonly end: number } {
  const name = readName(text, at, ':(),');
  if (!name.isQuoted) refuseUnsupported(name.text, text);
  if (text.charAt(name.end) === '(') throw notSupported('Embedded resources', text);
  if (name.text === '') throw syntaxError(`a column name is missing in ${shorten(text)}`);
  return name;
}

function refuseUnsupported(name: string, item: string): void {
  if (AGGREGATE.test(item)) throw notSupported('Aggregate functions', item);
  if (name.startsWith('...')) throw notSupported('Spread embeds', item);
  if (name.includes('->')) throw notSupported('JSON paths in select', item);
}

function checkAlias(alias: string): string {
  if (new TextEncoder().encode(alias).length > MAX_NAME_BYTES) {
    throw syntaxError(`the alias ${shorten(alias)} is longer than ${MAX_NAME_BYTES} bytes`);
  }
  return alias;
}

function parseCast(text: string, at: number): string | undefined {
  const rest = text.slice(at).trim();
  if (rest === '') return undefined;
  const cast = rest.startsWith('::') ? rest.slice(2) : '';
  if (CAST.test(cast)) return cast;
  throw syntaxError(`"${shorten(rest)}" after ${shorten(text.slice(0, at))} is not a cast`);
}
