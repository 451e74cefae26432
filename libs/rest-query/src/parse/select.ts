import { AGGREGATES, type Aggregation, type EmbedItem, type SelectItem } from '../types/grammar.js';
import { readPath } from './json-path.js';
import { MAX_EMBEDS, MAX_EMBED_DEPTH, MAX_NAME_BYTES, MAX_SELECT_ITEMS } from './limits.js';
import { checkLimit, Cursor, shorten, syntaxError, type Name } from './names.js';

const AGGREGATE = new RegExp(String.raw`\.(${AGGREGATES.join('|')})\(\)`, 'y');
const NAME_STOP = new RegExp(`[:(),!]|->|${AGGREGATE.source}`, 'g');
const KEY_STOP = new RegExp(`[(),]|::|->|${AGGREGATE.source}`, 'g');
// The specification: a bare lower-case type name with an optional array marker. The text becomes part of the statement,
// so nothing else may pass.
const CAST = /([a-z_][a-z0-9_]*(?:\[\])?) */y;

/** The items of `select` while they are parsed. */
interface Reader {
  readonly cursor: Cursor;
  items: number;
  embeds: number;
}

/** Parses the items of `select`; an empty text selects every column. Throws PGRST100. */
export function parseSelect(text: string): readonly SelectItem[] {
  if (text.trim() === '') return [{ kind: 'all' }];
  const reader = { cursor: new Cursor(text), items: 0, embeds: 0 };
  const items = readItems(reader, 0);
  if (!reader.cursor.isAtEnd) throw unexpected(reader.cursor);
  return items;
}

function readItems(reader: Reader, depth: number): readonly SelectItem[] {
  const items: SelectItem[] = [];
  do {
    items.push(readItem(reader, depth));
    checkLimit(++reader.items, MAX_SELECT_ITEMS, 'items in select');
    reader.cursor.skipBlanks();
  } while (reader.cursor.take(','));
  return items;
}

function readItem(reader: Reader, depth: number): SelectItem {
  const { cursor } = reader;
  cursor.skipBlanks();
  if (cursor.isAtEnd || cursor.next === ',' || cursor.next === ')') {
    throw syntaxError('select has an empty item');
  }
  if (cursor.take('*')) return { kind: 'all' };
  const isSpread = cursor.take('...');
  const { alias, name } = readAliasAndName(cursor);
  if (!isSpread && !name.isQuoted && name.text === 'count' && cursor.take('()')) {
    return { kind: 'count', alias, cast: readCast(cursor) };
  }
  if (isSpread || cursor.next === '!' || cursor.next === '(') {
    return readEmbed(reader, depth, { name, alias, isSpread });
  }
  return {
    kind: 'field',
    field: { name: name.text, path: readPath(cursor, KEY_STOP) },
    alias,
    cast: readCast(cursor),
    aggregation: readAggregation(cursor),
  };
}

function readAliasAndName(cursor: Cursor): { readonly alias: string | undefined; name: Name } {
  const first = readSelectName(cursor);
  if (cursor.next !== ':' || cursor.startsWith('::')) return { alias: undefined, name: first };
  cursor.at++;
  if (new TextEncoder().encode(first.text).length > MAX_NAME_BYTES) {
    throw syntaxError(`the alias ${shorten(first.text)} is longer than ${MAX_NAME_BYTES} bytes`);
  }
  return { alias: first.text, name: readSelectName(cursor) };
}

function readSelectName(cursor: Cursor): Name {
  const name = cursor.readName(NAME_STOP);
  if (name.text === '') throw syntaxError(`a name is missing in ${shorten(cursor.text)}`);
  return name;
}

function readCast(cursor: Cursor): string | undefined {
  if (!cursor.take('::')) return undefined;
  const cast = cursor.match(CAST)?.[1];
  if (cast === undefined) throw syntaxError(`"${cursor.rest}" is not a cast`);
  return cast;
}

function readAggregation(cursor: Cursor): Aggregation | undefined {
  const called = cursor.match(AGGREGATE)?.[1];
  const name = AGGREGATES.find((each) => each === called);
  return name && { function: name, cast: readCast(cursor) };
}

interface EmbedName {
  readonly name: Name;
  readonly alias: string | undefined;
  readonly isSpread: boolean;
}

function readEmbed(reader: Reader, depth: number, { name, ...shown }: EmbedName): EmbedItem {
  const { cursor } = reader;
  const { text: relation } = name;
  if (!name.isQuoted && /\.\w*$/.test(relation)) {
    throw syntaxError(`${shorten(relation)} is not an aggregate function; use one of ${KNOWN}`);
  }
  const { hint, join } = readModifiers(cursor, relation);
  if (!cursor.take('(')) {
    throw syntaxError(`the embed ${shorten(relation)} needs its columns in parentheses`);
  }
  checkLimit(depth + 1, MAX_EMBED_DEPTH, 'nested embeds');
  checkLimit(++reader.embeds, MAX_EMBEDS, 'embeds');
  cursor.skipBlanks();
  const select = cursor.next === ')' ? [] : readItems(reader, depth + 1);
  if (!cursor.take(')')) throw unexpected(cursor);
  return { kind: 'embed', relation, ...shown, hint, join, select };
}

const KNOWN = AGGREGATES.join(', ');

// `!inner` and `!left` are the join, any other word is the hint; in either order, each once.
function readModifiers(cursor: Cursor, relation: string): Pick<EmbedItem, 'hint' | 'join'> {
  let hint: string | undefined;
  let join: EmbedItem['join'];
  while (cursor.take('!')) {
    const { text: word, isQuoted } = readSelectName(cursor);
    const isJoin = !isQuoted && (word === 'inner' || word === 'left');
    if ((isJoin ? join : hint) !== undefined) {
      throw syntaxError(`the embed ${shorten(relation)} has ${shorten(word)} too much`);
    }
    if (isJoin) join = word;
    else hint = word;
  }
  return { hint, join };
}

function unexpected(cursor: Cursor): Error {
  if (cursor.isAtEnd) return syntaxError('a parenthesis of select is not closed');
  return syntaxError(`"${cursor.rest}" is not expected in select`);
}
