import type { OrderName, OrderTerm } from '../types/grammar.js';
import { readField } from './json-path.js';
import { MAX_ORDER_TERMS } from './limits.js';
import { checkLimit, Cursor, shorten, syntaxError } from './names.js';

const STOPS = { name: /[.,()]|->/g, key: /[.,()]|->/g };
const WORDS = /[^,]*/y;
const DIRECTIONS: ReadonlySet<string> = new Set(['asc', 'desc']);
const NULLS: ReadonlyMap<string, 'first' | 'last'> = new Map([
  ['nullsfirst', 'first'],
  ['nullslast', 'last'],
]);

/**
 * Parses the terms of `order`: `column[->path][.asc|.desc][.nullsfirst|.nullslast]`, with a column or
 * `relation(column)`. Throws PGRST100.
 */
export function parseOrder(text: string): readonly OrderTerm<OrderName>[] {
  if (text.trim() === '') return [];
  const cursor = new Cursor(text);
  const terms: OrderTerm<OrderName>[] = [];
  do {
    terms.push(readTerm(cursor));
    checkLimit(terms.length, MAX_ORDER_TERMS, 'terms in order');
  } while (cursor.take(','));
  return terms;
}

function readTerm(cursor: Cursor): OrderTerm<OrderName> {
  const start = cursor.at;
  cursor.skipBlanks();
  if (cursor.isAtEnd || cursor.next === ',') throw syntaxError('order has an empty item');
  const value = readOrderName(cursor);
  const [before, ...words] = (cursor.match(WORDS)?.[0] ?? '').trim().split('.');
  const direction = DIRECTIONS.has(words[0] ?? '') ? words.shift() : undefined;
  const nullsWord = words.shift();
  const nulls = nullsWord === undefined ? undefined : NULLS.get(nullsWord);
  if (before !== '' || words.length > 0 || (nullsWord !== undefined && nulls === undefined)) {
    const term = cursor.text.slice(start, cursor.at);
    throw syntaxError(`order has an unknown direction: ${shorten(term)}`);
  }
  return { value, isDescending: direction === 'desc', nulls };
}

function readOrderName(cursor: Cursor): OrderName {
  const field = readField(cursor, STOPS);
  if (field.path.length > 0 || !cursor.take('(')) return { relation: undefined, field };
  const ordered = { relation: field.name, field: readField(cursor, STOPS) };
  if (!cursor.take(')')) throw syntaxError(`order has "${cursor.rest}" instead of )`);
  return ordered;
}
