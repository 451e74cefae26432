// Takes the operands out of a logic tree, `(a.eq.x,not.and(b.gte.3,c.is.null))`, before it becomes part of the key of a
// request. Text that it does not understand stays, and the parser, which accepts only marks as operands, refuses it.
import { COMPARISONS } from '../types/grammar.js';
import { OPERAND } from './key.js';
import { MAX_CONDITIONS, MAX_STRAY_BRACKETS } from './limits.js';
import { checkLimit, Cursor, readQuoted } from './names.js';

/** `(`, `and(`, `not.or(` */
const GROUP = / *(?:(?:not\.)?(?:and|or) *)?\(/y;
/** A column, quoted or not, with the path into it. */
const FIELD = /(?:"(?:\\.|[^"\\])*"|[^".,()])+/sy;
/** `.not.operator(…).`, followed by the operand. */
const TEST = /\.(?:not\.)?([a-z]+)(?:\([^()]*\))?\./y;
/** `is` takes a keyword, never a value. */
const KEYWORD_TEST = /\.(?:not\.)?is\.[^,()]*/y;
const CLOSING = /[ )]*/y;
const PLAIN = /[^,)]*/y;
const QUOTED = /"((?:\\.|[^"\\])*)"(?= *[,)])/sy;

/** Operators whose operands may have commas inside brackets. */
const BRACKETED: ReadonlySet<string> = new Set([
  'in',
  ...Object.entries(COMPARISONS).flatMap(([name, { takesBrackets }]) =>
    takesBrackets ? [name] : [],
  ),
]);

/** A tree while its operands are taken out. */
interface Reader {
  readonly cursor: Cursor;
  strayBrackets: number;
}

/** Returns the text of a logic tree with a mark for each operand; appends the operands. Throws PGRST100. */
export function cutTree(text: string, operands: string[]): string {
  const cursor = new Cursor(text);
  const reader: Reader = { cursor, strayBrackets: 0 };
  let key = '';
  let from = 0;
  while (!cursor.isAtEnd) {
    if (cursor.match(GROUP)) continue;
    if (!cursor.match(FIELD)) break;
    if (!cursor.match(KEYWORD_TEST)) {
      const operator = cursor.match(TEST)?.[1];
      if (operator === undefined) break;
      key += text.slice(from, cursor.at) + OPERAND;
      operands.push(readOperand(reader, operator));
      checkLimit(operands.length, MAX_CONDITIONS, 'conditions');
      from = cursor.at;
    }
    cursor.match(CLOSING);
    if (!cursor.take(',')) break;
  }
  return key + text.slice(from);
}

// Quotes are removed, except inside lists, where they separate values.
function readOperand(reader: Reader, operator: string): string {
  const { cursor } = reader;
  const quoted = cursor.match(QUOTED)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
  const start = cursor.at;
  const { text } = cursor;
  if (isBracketed(cursor.next, operator)) {
    const isList = cursor.next === '(' && operator === 'in';
    const end = isList ? endOfList(text, start) : endOfBrackets(text, start);
    if (end !== undefined && isEnd(text, end)) {
      cursor.at = end;
      return text.slice(start, end);
    }
    checkLimit(++reader.strayBrackets, MAX_STRAY_BRACKETS, 'brackets that are not closed');
  }
  cursor.match(PLAIN);
  return text.slice(start, cursor.at);
}

function isBracketed(opening: string, operator: string): boolean {
  return opening === '{' || ((opening === '(' || opening === '[') && BRACKETED.has(operator));
}

/** The index after the bracket that closes the one at `start`. */
function endOfBrackets(text: string, start: number): number | undefined {
  // A range may be half-open, `[1,5)`: any closing bracket closes any opening one.
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"') i = endOfQuotes(text, i);
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth === 0) return i + 1;
  }
  return undefined;
}

// The values are split later, by the rules of `parseValueList`.
function endOfList(text: string, start: number): number | undefined {
  let mayBeQuoted = true;
  for (let i = start + 1; i < text.length; i++) {
    const isQuote = text.charAt(i) === '"';
    const quoted = isQuote && mayBeQuoted ? readQuoted(text, i, ',)') : undefined;
    if (isQuote && !quoted) mayBeQuoted = false;
    let end = quoted?.end ?? i;
    while (end < text.length && !',)'.includes(text.charAt(end))) end++;
    if (text.charAt(end) === ')') return end + 1;
    i = end;
  }
  return undefined;
}

function endOfQuotes(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\') i++;
    else if (character === '"') return i;
  }
  return text.length;
}

function isEnd(text: string, at: number): boolean {
  const rest = /[^ ]|$/g;
  rest.lastIndex = at;
  const next = rest.exec(text)?.[0] ?? '';
  return next === ',' || next === ')';
}
