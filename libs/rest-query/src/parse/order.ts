import type { OrderTerm } from '../types.js';
import { notSupported, readName, splitList, syntaxError } from './names.js';
import { shorten } from './query-template.js';

const DIRECTIONS: ReadonlySet<string> = new Set(['asc', 'desc']);
const NULLS: ReadonlyMap<string, 'first' | 'last'> = new Map([
  ['nullsfirst', 'first'],
  ['nullslast', 'last'],
]);

/** The terms of `order`: `column[.asc|.desc][.nullsfirst|.nullslast]`. Throws PGRST100. */
export function parseOrder(text: string): readonly OrderTerm<string>[] {
  return splitList(text, 'order').map(parseTerm);
}

function parseTerm(text: string): OrderTerm<string> {
  const name = readName(text, 0, '.(');
  if (text.charAt(name.end) === '(') throw notSupported('Orders by embedded resources', text);
  if (!name.isQuoted && name.text.includes('->')) throw notSupported('Orders by JSON paths', text);
  if (name.text === '') throw syntaxError(`a column name is missing in ${shorten(text)}`);
  const words = text.slice(name.end).trim().split('.').slice(1);
  const direction = DIRECTIONS.has(words[0] ?? '') ? words.shift() : undefined;
  const nullsWord = words.shift();
  const nulls = nullsWord === undefined ? undefined : NULLS.get(nullsWord);
  if (words.length > 0 || (nullsWord !== undefined && nulls === undefined)) {
    throw syntaxError(`order has an unknown direction: ${shorten(text)}`);
  }
  return { field: name.text, isDescending: direction === 'desc', nulls };
}
