// The lexical elements of an SQL script by PostgreSQL's rules (manual, "Lexical Structure"), with
// standard_conforming_strings on. One pass without regular expressions that could backtrack: a script may contain
// anything, and all projects wait meanwhile.

export interface SqlToken {
  readonly kind: 'word' | 'semicolon' | 'open' | 'close' | 'literal' | 'name' | 'other';
  /** The beginning of a word, in lower case; of other elements the first character. */
  readonly text: string;
  readonly start: number;
  /** After the last character. */
  readonly end: number;
}

/** Longer than every key word. A word may have a megabyte. */
const keptWordLength = 32;

/**
 * The tokens of a script from the offset `from`, without comments and white space. An unclosed string or comment
 * extends to the end. A `'…'` after the prefix `n`, `b`, `x` or `u&` is a separate literal, after the prefix.
 */
export function* sqlTokens(script: string, from = 0): Generator<SqlToken> {
  let at = from;
  while (at < script.length) {
    const space = skipSpace(script, at);
    if (space > at) {
      at = space;
      continue;
    }
    const start = at;
    const char = script.charAt(at);
    if (isWordStart(script, at)) {
      at = skipWhile(script, at, isWordPart);
      // `e'…'` is one element, and the only one in which a backslash escapes a quote.
      if (at === start + 1 && (char === 'e' || char === 'E') && script.charAt(at) === "'") {
        at = escapeStringEnd(script, at);
        yield { kind: 'literal', text: char, start, end: at };
      } else yield { kind: 'word', text: keptWord(script, start, at), start, end: at };
      continue;
    }
    at = elementEnd(script, at);
    yield { kind: kindOf(char, at - start), text: char, start, end: at };
  }
}

/** PostgreSQL folds ASCII letters only, in an encoding with multi-byte characters. */
function keptWord(script: string, start: number, end: number): string {
  const word = script.slice(start, Math.min(end, start + keptWordLength));
  return word.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function kindOf(char: string, length: number): SqlToken['kind'] {
  switch (char) {
    case ';':
      return 'semicolon';
    case '(':
      return 'open';
    case ')':
      return 'close';
    case "'":
      return 'literal';
    case '"':
      return 'name';
    case '$':
      return length > 1 ? 'literal' : 'other';
    default:
      return 'other';
  }
}

/** The end of a string, a quoted name, the digits of a number, a dollar quote, or a single character. */
function elementEnd(script: string, at: number): number {
  const char = script.charAt(at);
  if (char === "'" || char === '"') return quotedEnd(script, at, char);
  // PostgreSQL refuses letters after a number; releases that accept them read them as a word.
  if (isDigit(script, at)) return skipWhile(script, at, isDigit);
  return char === '$' ? dollarEnd(script, at) : at + 1;
}

/** The position after a run of white space and comments, or `at` if there is none. */
function skipSpace(script: string, at: number): number {
  if (isSpace(script, at)) return skipWhile(script, at, isSpace);
  if (script.startsWith('--', at)) return skipWhile(script, at, isNotLineEnd);
  return script.startsWith('/*', at) ? commentEnd(script, at + 2) : at;
}

/** Block comments nest. */
function commentEnd(script: string, from: number): number {
  let depth = 1;
  for (let at = from; at < script.length; at++) {
    const code = script.charCodeAt(at);
    if (code === 0x2a && script.charCodeAt(at + 1) === 0x2f) {
      at++;
      depth--;
      if (depth === 0) return at + 1;
    } else if (code === 0x2f && script.charCodeAt(at + 1) === 0x2a) {
      at++;
      depth++;
    }
  }
  return script.length;
}

/** A doubled quote is a quote in the text; it looks like the end of one string and the start of the next. */
function quotedEnd(script: string, at: number, quote: string): number {
  const close = script.indexOf(quote, at + 1);
  return close < 0 ? script.length : close + 1;
}

/** The end of `'…'` after an `e`. A string after a line break continues it (manual, section 4.1.2.1). */
function escapeStringEnd(script: string, quoteAt: number): number {
  for (let at = quoteAt; ;) {
    at++;
    while (at < script.length && script.charAt(at) !== "'")
      at += script.charAt(at) === '\\' ? 2 : 1;
    if (at >= script.length) return script.length;
    at++;
    const isDoubled = script.charAt(at) === "'";
    const next = isDoubled ? at : continuation(script, at);
    if (next === undefined) return at;
    at = next;
  }
}

/**
 * The position of the quote that continues a string: after white space with a line break, which may contain `--`
 * comments.
 */
function continuation(script: string, from: number): number | undefined {
  let at = from;
  let hasLineEnd = false;
  for (;;) {
    if (isSpace(script, at)) {
      hasLineEnd ||= !isNotLineEnd(script, at);
      at++;
    } else if (script.startsWith('--', at)) at = skipWhile(script, at, isNotLineEnd);
    else return hasLineEnd && script.charAt(at) === "'" ? at : undefined;
  }
}

/** After `$tag$…$tag$`; after the dollar sign if no tag begins, as in `$1`. */
function dollarEnd(script: string, at: number): number {
  const name = at + 1;
  const nameEnd = isWordStart(script, name) ? skipWhile(script, name, isTagPart) : name;
  if (script.charAt(nameEnd) !== '$') return at + 1;
  const tag = script.slice(at, nameEnd + 1);
  const close = script.indexOf(tag, nameEnd + 1);
  return close < 0 ? script.length : close + tag.length;
}

type Test = (script: string, at: number) => boolean;

function skipWhile(script: string, from: number, test: Test): number {
  let at = from;
  while (at < script.length && test(script, at)) at++;
  return at;
}

// PostgreSQL treats only ASCII characters as white space: every other character is a letter.
function isSpace(script: string, at: number): boolean {
  const code = script.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isNotLineEnd(script: string, at: number): boolean {
  const code = script.charCodeAt(at);
  return code !== 0x0a && code !== 0x0d;
}

function isDigit(script: string, at: number): boolean {
  const code = script.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function isWordStart(script: string, at: number): boolean {
  const code = script.charCodeAt(at);
  const lower = code | 0x20;
  return code >= 0x80 || code === 0x5f || (lower >= 0x61 && lower <= 0x7a);
}

function isTagPart(script: string, at: number): boolean {
  return isWordStart(script, at) || isDigit(script, at);
}

function isWordPart(script: string, at: number): boolean {
  return isTagPart(script, at) || script.charCodeAt(at) === 0x24;
}
