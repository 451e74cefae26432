// The small lexer for all structured text in a query string.
import { shorten } from '#libs/catalog';
import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';

export { shorten };

export interface Name {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The characters that may follow the closing quote of a name. */
const BEHIND_QUOTES = ' .,:()!-';

/** The error for text that does not follow the grammar; marks of operands are shown as `…`. */
export function syntaxError(reason: string): AppError {
  // oxlint-disable-next-line no-control-regex -- NUL begins a mark, and the mark may be cut in two
  return fail('PGRST100', { reason: reason.replace(/\0v?/g, '…') });
}

/** Throws PGRST100, naming the thing that exceeds the limit. */
export function checkLimit(count: number, limit: number, what: string): void {
  if (count > limit) throw syntaxError(`it has more than ${limit} ${what}`);
}

/** A text with a read position. */
export class Cursor {
  readonly text: string;
  at = 0;
  /** False after an unclosed quote: then no later quote is closed, and searching again would take long. */
  #mayBeQuoted = true;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  /** The rest of the text, shortened for a message. */
  get rest(): string {
    return shorten(this.text.slice(this.at));
  }

  startsWith(token: string): boolean {
    return this.text.startsWith(token, this.at);
  }

  /** Reads `token` if it comes next. */
  take(token: string): boolean {
    const isNext = this.startsWith(token);
    if (isNext) this.at += token.length;
    return isNext;
  }

  /** Reads the text that the sticky expression `pattern` matches here. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text) ?? undefined;
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  skipBlanks(): void {
    while (this.next === ' ') this.at++;
  }

  /**
   * Reads a name: quoted, or everything before the next match of the global expression `stop`, without surrounding
   * blanks. A quote that is never closed is a character of the name.
   */
  readName(stop: RegExp): Name {
    this.skipBlanks();
    if (this.next === '"' && this.#mayBeQuoted) {
      const quoted = readQuoted(this.text, this.at, BEHIND_QUOTES);
      if (quoted) {
        this.at = quoted.end;
        this.skipBlanks();
        return { text: quoted.text, isQuoted: true };
      }
      this.#mayBeQuoted = false;
    }
    const start = this.at;
    stop.lastIndex = start;
    this.at = stop.exec(this.text)?.index ?? this.text.length;
    return { text: this.text.slice(start, this.at).trim(), isQuoted: false };
  }
}

/**
 * The double-quoted text that begins at `at`, and the index after it; undefined if its closing quote is missing. A
 * backslash makes the next character literal. A quote closes only if one of `delimiters` or the end follows, because
 * widespread clients quote values without escaping the quotes inside.
 */
export function readQuoted(
  text: string,
  at: number,
  delimiters: string,
): { readonly text: string; readonly end: number } | undefined {
  let value = '';
  for (let i = at + 1; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\\' && i + 1 < text.length) value += text.charAt(++i);
    else if (character === '"' && isDelimiter(text, i + 1, delimiters)) {
      return { text: value, end: i + 1 };
    } else value += character;
  }
  return undefined;
}

function isDelimiter(text: string, at: number, delimiters: string): boolean {
  return at >= text.length || delimiters.includes(text.charAt(at));
}

/** The names of a comma-separated list. Throws PGRST100 for an empty one. */
export function parseNames(parameter: string, text: string): readonly string[] {
  if (text.trim() === '') return [];
  const names: string[] = [];
  let mayBeQuoted = true;
  for (let at = 0; at <= text.length; at++) {
    while (text.charAt(at) === ' ') at++;
    const isQuote = text.charAt(at) === '"';
    const quoted = isQuote && mayBeQuoted ? readQuoted(text, at, ' ,') : undefined;
    if (isQuote && !quoted) mayBeQuoted = false;
    const from = quoted?.end ?? at;
    const comma = text.indexOf(',', from);
    const end = comma === -1 ? text.length : comma;
    const rest = text.slice(from, end).trim();
    if (quoted && rest !== '') throw syntaxError(`${parameter} is not a list of names`);
    const name = quoted?.text ?? rest;
    if (name === '') throw syntaxError(`${parameter} has an empty item`);
    names.push(name);
    at = end;
  }
  return names;
}
