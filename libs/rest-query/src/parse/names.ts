// The small lexer of select, order, columns and filter names.
import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';
import { shorten } from './query-template.js';

export interface Name {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Index after the name. */
  readonly end: number;
}

/** The error for text that does not follow the grammar. */
export function syntaxError(reason: string): AppError {
  return fail('PGRST100', { reason });
}

/** The error for grammar that is known but not executed. */
export function notSupported(what: string, text: string): AppError {
  return syntaxError(`${what} are not supported yet: ${shorten(text)}`);
}

/**
 * The double-quoted text that begins at `at`; undefined when its closing quote is missing.
 * A backslash takes the next character literally. A quote closes only where `delimiters` or the end
 * follow, because widespread clients wrap values in quotes without escaping the quotes inside.
 */
export function readQuoted(text: string, at: number, delimiters: string): Name | undefined {
  let value = '';
  for (let i = at + 1; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\' && i + 1 < text.length) value += text.charAt(++i);
    else if (character === '"' && isDelimiter(text, i + 1, delimiters)) {
      return { text: value, isQuoted: true, end: i + 1 };
    } else value += character;
  }
  return undefined;
}

function isDelimiter(text: string, at: number, delimiters: string): boolean {
  return at >= text.length || delimiters.includes(text.charAt(at));
}

/** The name at `at`: quoted, or everything before the next of `delimiters`, without outer blanks. */
export function readName(text: string, at: number, delimiters: string): Name {
  let start = at;
  while (text.charAt(start) === ' ') start++;
  const quoted = text.charAt(start) === '"' ? readQuoted(text, start, delimiters) : undefined;
  if (quoted) return quoted;
  let end = start;
  while (!isDelimiter(text, end, delimiters)) end++;
  return { text: text.slice(start, end).trim(), isQuoted: false, end };
}

/**
 * The items of a comma separated list. Commas inside quotes and parentheses do not separate.
 * Throws PGRST100 for an empty item. An empty text is an empty list.
 */
export function splitList(text: string, parameter: string): readonly string[] {
  if (text.trim() === '') return [];
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text.charAt(i);
    if (character === '"' && isTokenStart(text, i)) i = skipQuoted(text, i);
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (i === text.length || (character === ',' && depth <= 0)) {
      items.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (items.includes('')) throw syntaxError(`${parameter} has an empty item`);
  return items;
}

function isTokenStart(text: string, at: number): boolean {
  return at === 0 || ' ,:.('.includes(text.charAt(at - 1));
}

function skipQuoted(text: string, at: number): number {
  const quoted = readQuoted(text, at, ' ,:.()-!');
  return quoted ? quoted.end - 1 : at;
}
