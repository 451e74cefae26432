// Scans a JSON text (RFC 8259) in steps, without building values: PostgreSQL parses a large body, and only the names
// and positions of its outermost members matter here. The text is scanned as UTF-8 bytes, as it has arrived: the signs
// of JSON are ASCII, and no byte of another character looks like one.
import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';
import { type Steps, stepChars } from '#libs/steps';
import { KnownNames } from './json-names.js';
import { StringBytes } from './string-bytes.js';

/** A complete value of the text. */
export interface ScannedValue {
  /** The number of arrays and objects around it; 0 for the whole text. */
  readonly depth: number;
  /** Its name, if it is a member of an object. */
  readonly key: string | undefined;
  /** The value is `text.subarray(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** The maximum nesting; PostgreSQL refuses a few times as much. */
const MAX_JSON_DEPTH = 1_000;

/** Bytes per step. A byte costs as much as a character of the other parsers, so the steps last as long. */
const stepBytes = stepChars;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

/**
 * What may come next. `first-*`: or the end of the container. `after`: a comma or the end of the container; after the
 * whole text nothing.
 */
type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after';

interface Container {
  readonly isObject: boolean;
  readonly start: number;
  readonly key: string | undefined;
}

/**
 * Calls `visit` with each value of `text` that is nested in at most `maxDepth` containers, inner values first. Throws
 * PGRST102 for a text that is not JSON or is nested too deeply. `text` is UTF-8.
 */
export function* scanJson(
  text: Buffer,
  maxDepth: number,
  visit: (value: ScannedValue) => void,
): Steps<void> {
  const scan = new JsonScan(text, maxDepth, visit);
  while (!scan.step(stepBytes)) yield;
}

class JsonScan {
  readonly #text: Buffer;
  readonly #maxDepth: number;
  readonly #visit: (value: ScannedValue) => void;
  readonly #containers: Container[] = [];
  readonly #names: KnownNames;
  readonly #strings: StringBytes;
  #at = 0;
  #expected: Expected = 'value';
  #key: string | undefined;
  /** The start of the string that is not completely read yet. */
  #stringStart: number | undefined;
  /** Whether an escape was read in that string. */
  #hasEscape = false;

  constructor(text: Buffer, maxDepth: number, visit: (value: ScannedValue) => void) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#visit = visit;
    this.#names = new KnownNames(text);
    this.#strings = new StringBytes(text);
  }

  /** Reads about `count` more bytes; true at the end of the text. */
  step(count: number): boolean {
    const text = this.#text;
    const stop = Math.min(text.length, this.#at + count);
    while (this.#at < stop) {
      if (this.#stringStart !== undefined) this.#readString(stop);
      else {
        const code = text[this.#at] ?? 0;
        if (isBlank(code)) this.#at++;
        else this.#readToken(code);
      }
    }
    if (this.#at < text.length) return false;
    const isComplete = this.#expected === 'after' && this.#containers.length === 0;
    if (this.#stringStart !== undefined || !isComplete) throw notJson();
    return true;
  }

  #readToken(code: number): void {
    switch (this.#expected) {
      case 'first-value':
        if (code === CLOSE_ARRAY) return this.#close(false);
        return this.#beginValue(code);
      case 'value':
        return this.#beginValue(code);
      case 'first-key':
        if (code === CLOSE_OBJECT) return this.#close(true);
        return this.#beginString(code);
      case 'key':
        return this.#beginString(code);
      case 'colon':
        if (code !== COLON) throw notJson();
        this.#at++;
        this.#expected = 'value';
        return;
      case 'after':
        return this.#readSeparator(code);
    }
  }

  #beginValue(code: number): void {
    if (code === QUOTE) this.#beginString(code);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) this.#open(code === OPEN_OBJECT);
    else {
      const start = this.#at;
      const end = scalarEnd(this.#text, start);
      if (end === undefined) throw notJson();
      this.#at = end;
      this.#complete(start, this.#key);
    }
  }

  #beginString(code: number): void {
    if (code !== QUOTE) throw notJson();
    this.#stringStart = this.#at;
    this.#hasEscape = false;
    this.#at++;
  }

  #readString(stop: number): void {
    const at = this.#strings.skipPlain(this.#at, stop);
    this.#at = at;
    if (at === stop) return;
    const code = this.#text[at];
    if (code === QUOTE) {
      this.#at = at + 1;
      this.#endString();
    } else if (code === BACKSLASH) {
      this.#hasEscape = true;
      this.#at = escapeEnd(this.#text, at);
    } else throw notJson();
  }

  #endString(): void {
    const start = this.#stringStart ?? 0;
    this.#stringStart = undefined;
    if (this.#expected !== 'key' && this.#expected !== 'first-key') {
      this.#complete(start, this.#key);
      return;
    }
    this.#expected = 'colon';
    if (this.#containers.length > this.#maxDepth) return;
    this.#key = this.#hasEscape
      ? String(JSON.parse(this.#text.toString('utf8', start, this.#at)))
      : this.#names.nameAt(start + 1, this.#at - 1);
  }

  #open(isObject: boolean): void {
    if (this.#containers.length === MAX_JSON_DEPTH) {
      throw fail('PGRST102', { reason: `it is nested deeper than ${MAX_JSON_DEPTH} levels` });
    }
    this.#containers.push({ isObject, start: this.#at, key: this.#key });
    this.#key = undefined;
    this.#at++;
    this.#expected = isObject ? 'first-key' : 'first-value';
  }

  #close(isObject: boolean): void {
    const container = this.#containers.pop();
    if (!container || container.isObject !== isObject) throw notJson();
    this.#at++;
    this.#complete(container.start, container.key);
  }

  #readSeparator(code: number): void {
    const container = this.#containers.at(-1);
    if (!container) throw notJson();
    if (code === COMMA) {
      this.#at++;
      this.#expected = container.isObject ? 'key' : 'value';
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#close(code === CLOSE_OBJECT);
    else throw notJson();
  }

  #complete(start: number, key: string | undefined): void {
    this.#expected = 'after';
    this.#key = undefined;
    const depth = this.#containers.length;
    if (depth <= this.#maxDepth) this.#visit({ depth, key, start, end: this.#at });
  }
}

/** Whether a byte is white space between values. */
export function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The end of the number or word that begins at `start`; undefined if there is none. */
function scalarEnd(text: Buffer, start: number): number | undefined {
  switch (text[start] ?? 0) {
    case 0x74:
      return wordEnd(text, start, TRUE);
    case 0x66:
      return wordEnd(text, start, FALSE);
    case 0x6e:
      return wordEnd(text, start, NULL);
    default:
      return numberEnd(text, start);
  }
}

function wordEnd(text: Buffer, start: number, word: Buffer): number | undefined {
  for (let i = 1; i < word.length; i++) if (text[start + i] !== word[i]) return undefined;
  return start + word.length;
}

/** A fraction or an exponent without digits is not part of the number. */
function numberEnd(text: Buffer, start: number): number | undefined {
  let at = text[start] === MINUS ? start + 1 : start;
  if (!isDigit(text[at])) return undefined;
  at = text[at] === ZERO ? at + 1 : digitsEnd(text, at);
  if (text[at] === POINT && isDigit(text[at + 1])) at = digitsEnd(text, at + 1);
  const exponent = text[at];
  if (exponent !== 0x45 && exponent !== 0x65) return at;
  const sign = text[at + 1];
  const digits = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  return isDigit(text[digits]) ? digitsEnd(text, digits) : at;
}

function digitsEnd(text: Buffer, start: number): number {
  let at = start;
  while (isDigit(text[at])) at++;
  return at;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}

/** The end of the escape that begins with the backslash at `at`. Throws PGRST102. */
function escapeEnd(text: Buffer, at: number): number {
  switch (text[at + 1] ?? 0) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // Slash.
    case 0x62: // Letters b, f, n, r and t.
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2;
    case 0x75: // Letter u, before four hexadecimal digits.
      for (let i = at + 2; i < at + 6; i++) if (!isHexDigit(text[i])) throw notJson();
      return at + 6;
    default:
      throw notJson();
  }
}

function isHexDigit(code: number | undefined): boolean {
  if (code === undefined) return false;
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

function notJson(): AppError {
  return fail('PGRST102', { reason: 'it is not JSON' });
}
