// Scans a JSON text (RFC 8259) in steps, without building values: PostgreSQL parses a large body, and only the names
// and positions of its outermost members matter here.
import { fail } from '#libs/errors';
import type { AppError } from '#libs/errors';
import { type Steps, stepChars } from '#libs/steps';

/** A complete value of the text. */
export interface ScannedValue {
  /** The number of arrays and objects around it; 0 for the whole text. */
  readonly depth: number;
  /** Its name, if it is a member of an object. */
  readonly key: string | undefined;
  /** The value is `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** The maximum nesting; PostgreSQL refuses a few times as much. */
const MAX_JSON_DEPTH = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** In a text without these characters a string ends at the next quote. */
// oxlint-disable-next-line no-control-regex -- strings must not contain control characters
const SPECIAL = /[\\\u0000-\u001f]/;

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
 * PGRST102 for a text that is not JSON or is nested too deeply.
 */
export function* scanJson(
  text: string,
  maxDepth: number,
  visit: (value: ScannedValue) => void,
): Steps<void> {
  const scan = new JsonScan(text, maxDepth, visit);
  while (!scan.step(stepChars)) yield;
}

class JsonScan {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #visit: (value: ScannedValue) => void;
  readonly #containers: Container[] = [];
  #at = 0;
  #expected: Expected = 'value';
  #key: string | undefined;
  /** The start of the string that is not completely read yet. */
  #stringStart: number | undefined;
  /** The part of the text that a step reads, if strings end at the next quote in it; otherwise undefined. */
  #plain: { readonly part: string; readonly from: number } | undefined;

  constructor(text: string, maxDepth: number, visit: (value: ScannedValue) => void) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#visit = visit;
  }

  /** Reads about `chars` more characters; true at the end of the text. */
  step(chars: number): boolean {
    const text = this.#text;
    const stop = Math.min(text.length, this.#at + chars);
    const part = text.slice(this.#at, stop);
    this.#plain = SPECIAL.test(part) ? undefined : { part, from: this.#at };
    while (this.#at < stop) {
      if (this.#stringStart !== undefined) this.#readString(stop);
      else {
        const code = text.charCodeAt(this.#at);
        if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.#at++;
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
      SCALAR.lastIndex = this.#at;
      if (!SCALAR.test(this.#text)) throw notJson();
      const start = this.#at;
      this.#at = SCALAR.lastIndex;
      this.#complete(start, this.#key);
    }
  }

  #beginString(code: number): void {
    if (code !== QUOTE) throw notJson();
    this.#stringStart = this.#at;
    this.#at++;
  }

  #readString(stop: number): void {
    const text = this.#text;
    if (this.#plain && this.#at < stop) {
      this.#skipToQuote(this.#plain, stop);
      return;
    }
    let at = this.#at;
    while (at < stop) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        this.#endString();
        return;
      }
      if (code < 0x20) throw notJson();
      if (code === BACKSLASH) {
        ESCAPE.lastIndex = at;
        if (!ESCAPE.test(text)) throw notJson();
        at = ESCAPE.lastIndex;
      } else at++;
    }
    this.#at = at;
  }

  /** Several times as fast as testing each character. */
  #skipToQuote({ part, from }: { part: string; from: number }, stop: number): void {
    const quote = part.indexOf('"', this.#at - from);
    this.#at = quote < 0 ? stop : from + quote + 1;
    if (quote >= 0) this.#endString();
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
    const raw = this.#text.slice(start + 1, this.#at - 1);
    this.#key = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
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

function notJson(): AppError {
  return fail('PGRST102', { reason: 'it is not JSON' });
}
